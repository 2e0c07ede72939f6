"""The pages about the zoo: what their doctests cannot say."""

import importlib.util
import re
from pathlib import Path

import pytest

from pac_stability.zoo import museum

DOCS = Path(__file__).parents[2] / "docs"
INSTALLED = importlib.util.find_spec("dp_accounting") is not None


def test_the_gallery_shows_every_exhibit() -> None:
    text = (DOCS / "explanation" / "museum.md").read_text(encoding="utf-8")
    assert [e.name for e in museum.all() if f"`{e.name}`" not in text] == []


@pytest.mark.skipif(
    not INSTALLED, reason="not installed: pip install 'pac_stability[dp-accounting]'"
)
def test_the_guide_to_dp_accounting_runs() -> None:
    guide = DOCS / "how-to" / "privacy-loss-distributions.md"
    # The other blocks are doctests.
    blocks = re.findall(r"```python\n([^>].*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1
    names: dict[str, object] = {}
    exec(compile(blocks[0], str(guide), "exec"), names)  # noqa: S102  # our own page
    assert "composed" in names
