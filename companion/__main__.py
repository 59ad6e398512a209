"""The one program: `companion COMMAND`, also as `python -m companion COMMAND`."""

from __future__ import annotations

import sys

from companion.cli.program import main

if __name__ == "__main__":
    sys.exit(main())
