"""Programs that run in an interpreter of their own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = os.pathsep.join(map(str, (ROOT, Path(__file__).parent)))


def of_source_tree(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that imports the tools and tests of the source tree."""
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PLACES},
        capture_output=True,
        text=True,
        check=False,
    )
