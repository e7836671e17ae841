"""Handles missing tools in checks."""

import os
import sys


def skip(tool, install):
    """Fails the check; with GEOTRAWL_ALLOW_SKIPS=1, returns a line that says the check was skipped."""
    if os.environ.get("GEOTRAWL_ALLOW_SKIPS") != "1":
        sys.exit(f"this check needs {tool}: {install}, or set GEOTRAWL_ALLOW_SKIPS=1 to skip tests whose tools are missing")
    return f"SKIPPED: no {tool}"
