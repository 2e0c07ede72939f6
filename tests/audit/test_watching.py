"""What an audit holds while it asks: draws, what is kept, and a second interpreter."""

# ruff: noqa: PLW0108  # the functions are what a program is made of

import functools
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from random import Random

import numpy as np
import pytest

from pac_stability.audit.watching.program import Unsettled, Watching
from pac_stability.cli import main
from pac_stability.randomness import SeededCoins
from pac_stability.randomness.watch import HiddenDraw, watched

KEPT = Random(5)
KEPT_BY_NUMPY = np.random.default_rng(5)
KEPT_LEGACY = np.random.RandomState(5)
COINS = SeededCoins(5)


class Holder:
    """Something that has a generator among its attributes."""

    def __init__(self) -> None:
        self.inner = {"list": [Random(3)]}

    def __call__(self) -> float:
        return self.inner["list"][0].random()


class Named(str):
    """Text that carries a generator."""

    inner: Random


def inside_text() -> Callable[[], float]:
    name = Named("n")
    name.inner = Random(5)
    return lambda: name.inner.random()


def closed_over() -> Callable[[], float]:
    inner = Random(2)
    return lambda: inner.random()


KEEP: dict[str, tuple[str, Callable[[], object]]] = {
    "a generator": ("the global variable KEPT", lambda: KEPT.random()),
    "numpy's": ("the global variable KEPT_BY_NUMPY", lambda: KEPT_BY_NUMPY.random()),
    "numpy's old one": ("the global variable KEPT_LEGACY", lambda: KEPT_LEGACY.rand()),
    "seeded coins": ("the global variable COINS", lambda: COINS.below(7)),
    "one in a closure": ("the variable inner", closed_over()),
    "one inside an object": ("the attribute inner of a Holder", Holder()),
    "one inside text": ("the variable name", inside_text()),
}


@pytest.mark.parametrize("name", KEEP)
def test_a_generator_that_is_kept_is_found_by_its_place(name: str) -> None:
    place, question = KEEP[name]
    with pytest.raises(Unsettled, match=f"change again: {place}, want") as caught:
        Watching(question, "it").during(question, "the sample")
    assert caught.value.sample == "the sample"


def test_the_question_that_draws_is_the_last() -> None:
    asked: SimpleQueue[int] = SimpleQueue()

    def part(number: int) -> None:
        asked.put(number)
        if number == 2:
            random.random()

    def work() -> None:
        for number in range(4):
            watched(functools.partial(part, number))

    with pytest.raises(HiddenDraw, match=r"a draw from random at test_watching\.py, line "):
        Watching(part, "it").during(work, ())
    assert [asked.get() for _ in range(asked.qsize())] == [0, 1, 2]


def test_what_changes_between_two_works_is_seen_at_the_second() -> None:
    """The state is read after a work, and not again before the next, which hangs on it."""
    kept, asked = [1], list[int]()

    def program() -> int:
        return kept[0]

    watching = Watching(program, "a program")

    def work() -> int:
        asked.append(program())
        return asked[-1]

    assert (watching.during(work, ()), asked) == (1, [1])
    assert (watching.during(work, ()), asked) == (1, [1, 1])
    kept[0] = 2
    assert (watching.during(work, ()), asked) == (2, [1, 1, 2, 2])  # again: it is another program
    kept[0] = 3
    watching.forget()
    assert (watching.during(work, ()), asked) == (3, [1, 1, 2, 2, 3])


def test_an_unseen_draw_is_looked_for_question_by_question() -> None:
    """The state is put back first, so that the same question draws again."""
    asked: SimpleQueue[int] = SimpleQueue()  # which is not put back, as a list would be
    hidden = random._inst

    def part(number: int) -> None:
        asked.put(number)
        if number == 2 and hidden.random() < 1:
            pass

    def work() -> None:
        for number in range(4):
            watched(functools.partial(part, number))

    before = random.getstate()
    with pytest.raises(HiddenDraw, match="a draw from random"):
        Watching(None, "it").during(work, ())
    assert [asked.get() for _ in range(asked.qsize())] == [0, 1, 2, 3, 0, 1, 2]
    random.setstate(before)


LEARNERS = """\
import sys

def honest(sample, point, rng):
    return sample.labels[0] if rng.below(4) == 0 else point

def by_the_order(sample, point, rng):
    known = sys.modules["json"].__dict__.setdefault("known_here", {})
    return sample.labels[0] if known.setdefault(0, sample.labels[0]) else 0

def fails_there(sample, point, rng):
    if sys.argv[-2:-1] == ["--told-to"]:
        raise ValueError("not here")
    return 0
"""


@pytest.fixture
def learners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    path = tmp_path / "asked_twice.py"
    path.write_text(LEARNERS)
    monkeypatch.setenv("PYTHONHASHSEED", "0")  # of the child it is another
    return str(path)


ASKED = ("--notion", "private-prediction", "--domain", "2", "--n", "2", "--twice")


def test_an_honest_program_answers_the_same_in_a_second_interpreter(
    learners: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    asked = ("audit", f"{learners}::honest", *ASKED, "--checkpoint", str(kept))
    assert main(asked) == 0
    twice = capsys.readouterr().out
    assert main([word for word in asked if word != "--twice"]) == 0
    assert capsys.readouterr().out == twice
    assert not kept.exists()


def test_what_hangs_on_the_order_of_questions_shows_there(
    learners: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It tells the first label unless the first of all was 0, as it is when asked forwards."""
    assert main(["audit", f"{learners}::by_the_order", *ASKED[:-1], "--deterministic"]) == 0
    capsys.readouterr()
    assert main(["audit", f"{learners}::by_the_order", *ASKED]) == 2
    said = capsys.readouterr().err
    assert "two different answers from by_the_order on the sample [(0, 1), (0, 0)]" in said
    assert "in another interpreter, with another hash seed and in reverse order" in said


FIRST = '[next(iter({f"item {k}" for k in range(n)})) == "item 0" for n in range(2, 60)]'


def test_what_hangs_on_the_hash_seed_shows_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    environment = {**os.environ, "PYTHONHASHSEED": "2"}
    done = subprocess.run(
        [sys.executable, "-c", f"print({FIRST})"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    pairs = zip(eval(FIRST), eval(done.stdout), strict=True)  # noqa: S307  # our own
    size = next(n for n, (here, there) in enumerate(pairs, 2) if here != there)
    path = tmp_path / "by_a_set.py"
    path.write_text(
        "def learn(sample, point, rng):\n"
        f"    first = next(iter({{f'item {{k}}' for k in range({size})}}))\n"
        "    return sample.labels[0] if first == 'item 0' else 0\n"
    )
    assert main(["audit", f"{path}::learn", *ASKED[:-1], "--deterministic"]) == 0
    assert main(["audit", f"{path}::learn", *ASKED]) == 2
    assert "in another interpreter" in capsys.readouterr().err


def test_a_second_interpreter_that_fails_says_why(
    learners: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", f"{learners}::fails_there", *ASKED]) == 2
    said = capsys.readouterr().err
    assert "no answers from fails_there in a second interpreter, which says: " in said
    assert "not here" in said
