"""Fixtures of these tests; they live in `faults_tools`, which forked processes can import by its name."""

import os

if hasattr(os, "fork"):  # elsewhere these tests are skipped
    from faults_tools import resume, server, start, undisturbed

    __all__ = ["resume", "server", "start", "undisturbed"]
