"""A few kills of `tools/kills.py`: nothing is lost, nothing is under-counted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "kills.py"


@pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="the tool waits for processes as on Linux"
)
@pytest.mark.skipif(not TOOL.exists(), reason="the tool is beside the tests in the repository only")
def test_a_few_kills_lose_nothing() -> None:
    done = subprocess.run(
        [sys.executable, TOOL, "--kills", "9", "--seed", "1"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()[3:]}
    kills = {"checkpoint": 2, "cache": 2, "session": 2, "ledger": 3, "all": 9}
    assert {kind: int(row[0]) for kind, row in rows.items()} == kills
    # Damaged, lost, under-counted, another result.
    assert rows["all"][5:9] == ["0"] * 4
