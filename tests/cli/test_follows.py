"""``pac-stability follows``: the conclusions of ``claims.what_follows``, and what is refused."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pac_stability import Epsilon, claims, mechanisms
from pac_stability.papers.guarantees import (
    FrequencyGuarantee,
    OutputCount,
    PredictionGuarantee,
    StabilityGuarantee,
    Wanted,
)

Command = Callable[..., Any]
TENTH = Fraction(1, 10)

KNOWN: dict[str, tuple[object, Wanted]] = {
    "--differential-privacy 0.01 --outputs 16": (
        mechanisms.PrivacyGuarantee(Epsilon("0.01")), Wanted(outputs=16),
    ),
    "--differential-privacy 1/4 --delta 0.001 --elements 3 --group 2": (
        mechanisms.PrivacyGuarantee(Epsilon("1/4"), Fraction(1, 1000)), Wanted(elements=3, group=2),
    ),
    "--private-prediction 0.1 --delta 1/10": (PredictionGuarantee(Epsilon("0.1"), TENTH), Wanted()),
    "--uniform-stability 1/100 --flip 0.1": (StabilityGuarantee(TENTH**2), Wanted(flip=TENTH)),
    "--global-stability 0.1 --consistent": (FrequencyGuarantee(TENTH), Wanted(consistent=True)),
    "--few-outputs 4 --failure 1/10": (OutputCount(4), Wanted(failure=TENTH)),
}  # fmt: skip


@pytest.mark.parametrize("line", KNOWN)
def test_it_lists_what_the_library_concludes(command: Command, line: str) -> None:
    known, wanted = KNOWN[line]
    found = claims.what_follows(known, 1000, wanted)
    assert found
    for every in ([], ["--all"]):
        result = command("follows", *line.split(), "--n", "1000", *every)
        assert (result.code, result.err) == (0, "")
        first, *lines = result.out.splitlines()
        assert first.endswith(", on samples of 1,000 examples:")
        expected = [c for c in found if every or c.rank == 1]
        assert [x.strip() for x in lines if not x.startswith("    ")] == [str(c) for c in expected]
        notes = [note for c in expected for note in c.notes]
        assert [x.strip() for x in lines if x.startswith("    ")] == notes


def test_nothing_is_said_to_follow_from_nothing(command: Command) -> None:
    result = command("follows", "--uniform-stability", "1", "--n", "3")
    assert (result.code, result.out.splitlines()[1:]) == (0, ["  nothing"])


@pytest.mark.parametrize(("line", "words"), [
    ("--n 3", "is required"),
    ("--uniform-stability 1/100", "--n"),
    ("--uniform-stability 1/100 --few-outputs 2 --n 3", "not allowed with"),
    ("--uniform-stability 2 --n 3", "between 0 and 1"),
    ("--uniform-stability 1/100 --delta 0.1 --n 3", "--delta: got one, want none"),
    ("--global-stability 0 --n 3", "eta: got 0"),
    ("--differential-privacy 1 --flip 3/4 --n 3", "flip: got 3/4"),
])  # fmt: skip
def test_what_is_refused(command: Command, line: str, words: str) -> None:
    result = command("follows", *line.split())
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert len(result.err.splitlines()) == 1
