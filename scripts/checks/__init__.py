"""Long checks: `soak` (random play under the audit), `twin` (against plain Python), `mutation` (do tests see breaks).

`hostile` tries wrong input. `reference` plays what is kept under results/reference.
"""
