"""Long checks: `soak` (random play under the audit), `twin` (against plain Python), `mutation` (do tests see breaks)."""
