"""``python -m pac_stability`` is the command ``pac-stability``."""

from __future__ import annotations

import sys

from pac_stability.cli import main

if __name__ == "__main__":
    sys.exit(main())
