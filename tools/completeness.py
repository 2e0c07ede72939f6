"""How much of the public interface has a type that every type checker sees in the same way.

``python tools/completeness.py`` runs ``basedpyright --verifytypes`` on the sources as they are, and
fails when less than 99.5 % of the names have such a type. What is missing is listed. It takes a
dozen seconds; basedpyright comes with the JavaScript that it needs, so nothing else is fetched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST = 99.5
ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Count, and list what is missing."""
    program = shutil.which("basedpyright") or shutil.which("pyright")
    if program is None:
        print("completeness: neither basedpyright nor pyright: pip install 'pac_stability[types]'")
        return 2
    done = subprocess.run(
        [program, "--pythonpath", sys.executable, "--ignoreexternal", "--outputjson",
         "--verifytypes", "pac_stability"],
        cwd=tempfile.gettempdir(), env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip  # elsewhere: in the sources it would take them for a program
    found = json.loads(done.stdout)["typeCompleteness"]
    for symbol in found["symbols"]:
        if symbol["isExported"] and not symbol["isTypeKnown"]:
            print(f"{symbol['category']:12} {symbol['name']}")
    counts = found["exportedSymbolCounts"]
    share = 100 * found["completenessScore"]
    print(f"{share:.1f} % of {sum(counts.values()):,} names; at least {LEAST} % is wanted")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
