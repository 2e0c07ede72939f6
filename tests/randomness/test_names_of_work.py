"""Names that scikit-learn and joblib give to their work: no draw, and nobody else's excuse."""

import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from pac_stability.randomness.watch import HiddenDraw, watched

JOBLIB = "/lib/site-packages/joblib/parallel.py"
FOREST = "/lib/site-packages/sklearn/ensemble/_forest.py"
CALLBACK = "/lib/site-packages/sklearn/callback/_callback_context.py"
OTHER = "/lib/site-packages/other/sample.py"
USER = "/home/somebody/sklearn/joblib/learner.py"


def under(files: list[str], inner: Callable[[], object]) -> Callable[[], object]:
    """Call something from functions in files of these names, the last of which calls it."""
    for file in reversed(files):
        names: dict[str, Any] = {"inner": inner}
        exec(compile("def outer(): return inner()", file, "exec"), names)  # noqa: S102  # our own
        inner = names["outer"]
    return inner


@pytest.mark.parametrize("draw", [uuid.uuid4, time.time])
@pytest.mark.parametrize("files", [[USER, FOREST, JOBLIB], [FOREST, JOBLIB, JOBLIB], [CALLBACK]])
def test_a_name_of_work_is_no_draw(files: list[str], draw: Callable[[], object]) -> None:
    assert watched(under(files, draw))


@pytest.mark.parametrize(
    "files", [[USER], [USER, JOBLIB], [JOBLIB], [FOREST], [OTHER, JOBLIB], [FOREST, OTHER]]
)
def test_another_is_one(files: list[str]) -> None:
    with pytest.raises(HiddenDraw, match=r"os\.urandom"):
        watched(under(files, uuid.uuid4))
