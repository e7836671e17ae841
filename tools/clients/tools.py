"""What checks do when a tool is missing."""

import os
import sys


def skip(tool, install):
    """Fails the check, or with GEOTRAWL_ALLOW_SKIPS=1 returns the line that says that it was skipped."""
    if os.environ.get("GEOTRAWL_ALLOW_SKIPS") != "1":
        sys.exit(f"this check needs {tool}: {install}, or set GEOTRAWL_ALLOW_SKIPS=1 to skip tests whose tools are missing")
    return f"SKIPPED: no {tool}"
