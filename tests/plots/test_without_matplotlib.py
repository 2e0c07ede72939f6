"""Without the extra: the room can be imported, and a figure says what to install."""

import subprocess
import sys

import pytest

import pac_stability as ps
from pac_stability import plots


def test_importing_the_room_loads_no_matplotlib() -> None:
    program = "import sys, pac_stability.plots; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-P", "-c", program], check=True)


def test_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'pac_stability\[plots\]'"):
        plots.mistake_tree(ps.shattered_tree(ps.classes.thresholds(3)))
