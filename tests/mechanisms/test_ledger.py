"""The ledger: what adds up, what is refused, and what two processes may do to one file."""

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from pac_stability import BudgetExhausted, Epsilon, Interval, InvalidInput
from pac_stability.mechanisms import (
    Ledger,
    PrivacyGuarantee,
    Use,
    ledger as ledgers,
)
from shared_refusals import refuses

HALF = Fraction(1, 2)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="files are locked on POSIX systems only")


def test_a_batch_is_taken_whole_or_not_at_all() -> None:
    ledger = Ledger(epsilon=1)
    ledger.reserve("0.3", times=2)
    with pytest.raises(BudgetExhausted, match=r"2 uses of epsilon 0\.3: 1 are left"):
        ledger.reserve("0.3", times=2)
    assert ledger.left("0.3") == 1
    ledger.reserve("0.3")
    ledger.reserve(Fraction(1, 10))
    assert ledger.left("1e-300") == 0
    assert ledger.spent() == {
        Use(Fraction(3, 10), Fraction(1), Fraction(0)): 3,
        Use(Fraction(1, 10), Fraction(1), Fraction(0)): 1,
    }


@pytest.mark.parametrize("each", ["1/3", "1e-320", 0.1])
def test_sums_are_exact(each: float | str) -> None:
    number = Fraction(str(each))
    for spare in (Fraction(0), number / 2):
        ledger = Ledger(epsilon=100000 * number + spare)
        for _ in range(100):
            ledger.reserve(each, times=1000)
        assert ledger.left(each) == 0
        with pytest.raises(BudgetExhausted):
            ledger.reserve(each)
    short = Ledger(epsilon=100000 * number - Fraction(1, 10**400))
    assert short.left(each) == 99999


def test_factors_are_compared_exactly_or_refused() -> None:
    ledger = Ledger(epsilon=Epsilon.exactly(16))
    ledger.reserve(Epsilon.exactly(2), times=4)
    assert ledger.left(Epsilon.exactly(1 + Fraction(1, 10**100))) == 0
    # Four logarithms of 2 are more than 2.772588 and less than 2.772589.
    assert Ledger(epsilon="2.772588").left(Epsilon.exactly(2)) == 3
    assert Ledger(epsilon="2.772589").left(Epsilon.exactly(2)) == 4
    # What is asked as a number has a factor that is rounded down, and fits as often as it should.
    assert Ledger(epsilon=1).left(PrivacyGuarantee(Epsilon("1/10"))) == 10
    # Too near to tell, and too long to multiply: refused.
    near = Ledger(epsilon=Epsilon.exactly(Fraction(2**200 + 1, 2**200)))
    assert near.left(PrivacyGuarantee(Epsilon.exactly(Fraction(2**200 + 1, 2**200)))) == 1


def test_what_an_enclosure_leaves_open_is_not_allowed() -> None:
    # A number between the ends of the enclosure of ln 2: the budget, what is asked, what is left.
    around = Interval.log(Fraction(2), 256)
    middle = (around.lower + around.upper) / 2
    assert around.lower < middle < around.upper
    assert Ledger(epsilon=middle).left(Epsilon.exactly(2)) == 0
    assert Ledger(epsilon=Epsilon.exactly(2)).left(middle) == 0
    assert Ledger(epsilon=around.upper).left(Epsilon.exactly(2)) == 1
    ledger = Ledger(epsilon=middle + HALF)
    ledger.reserve(Epsilon.exactly(2))
    assert ledger.report().endswith(": 0.499999")
    small = Ledger(epsilon=1)
    small.reserve(Fraction(3_333_337, 10_000_000))
    assert small.report().endswith(": 0.666666")


def test_a_number_is_no_smaller_as_a_guarantee() -> None:
    for number in (Fraction(1, 20), Fraction(1), Fraction(7, 3)):
        found = ledgers._guarantee(Use(number, Fraction(1), Fraction(0)))
        assert found.factor >= Interval.exp(number, 400).upper


def test_deltas_add_up_exactly() -> None:
    once = PrivacyGuarantee(Epsilon.exactly(1), Fraction(1, 10))
    # 1 - (9/10)^2 = 19/100, and the sum is 20/100.
    assert Ledger(epsilon=1, delta="19/100").left(once) == 2
    assert Ledger(epsilon=1, delta="18/100").left(once) == 1
    assert Ledger(epsilon=1).left(once) == 0
    assert Ledger(epsilon=1, delta=1).left(once) == 10**6


def test_optimal_composition_allows_more() -> None:
    once = PrivacyGuarantee(Epsilon("1/20"))
    basic = Ledger(epsilon=1, delta="1e-6")
    optimal = Ledger(epsilon=1, delta="1e-6", composition="optimal")
    assert (basic.left(once), optimal.left(once)) == (20, 26)
    assert optimal.left("1/20") == 26
    optimal.reserve(once, times=26)
    with pytest.raises(BudgetExhausted):
        optimal.reserve(once)
    assert Ledger(epsilon=1, composition="optimal").left(once) == 20
    assert "by the sum of the epsilons" in optimal.report()


def test_threads_take_turns() -> None:
    ledger, taken = Ledger(epsilon=50), []

    def take() -> None:
        for _ in range(40):
            try:
                ledger.reserve(1)
            except BudgetExhausted:
                continue
            taken.append(1)

    threads = [Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), ledger.left(1)) == (50, 0)


def test_a_copy_is_the_same_budget() -> None:
    ledger = Ledger(epsilon=1)
    for other in (copy.copy(ledger), copy.deepcopy(ledger)):
        other.reserve("1/4")
    assert ledger.left("1/4") == 2


@POSIX
def test_a_file_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    one, other = (Ledger(path, epsilon=1, delta=HALF) for _ in range(2))
    one.reserve("1/2")
    assert other.left("1/4") == 2
    other.reserve(PrivacyGuarantee(Epsilon("1/4"), Fraction(1, 3)))
    with pytest.raises(BudgetExhausted):
        one.reserve("1/2")
    again = pickle.loads(pickle.dumps(one))  # noqa: S301  # our own
    assert again.left("1/4") == one.left("1/4") == 1
    assert again.spent() == other.spent()
    assert path.read_text().count("\n") == 3
    assert path.stat().st_mode & 0o077 == 0


@POSIX
def test_the_file_is_locked_while_a_line_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl  # there is none on other systems

    path = tmp_path / "ledger"
    ledger = Ledger(path, epsilon=1)
    tried = 0

    def wanted_by_another(handle: int) -> None:
        nonlocal tried
        tried += 1
        with path.open() as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fsync(handle)

    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", wanted_by_another)
    ledger.reserve("1/4")
    assert tried
    with path.open() as free:
        fcntl.flock(free, fcntl.LOCK_EX | fcntl.LOCK_NB)


@POSIX
def test_a_ledger_that_another_keeps_is_not_waited_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl  # there is none on other systems

    path = tmp_path / "ledger"
    ledger = Ledger(path, epsilon=1)
    ledger.reserve("1/4")
    before = path.read_bytes()
    monkeypatch.setattr("pac_stability.keeping.writing._PATIENCE", 0.0)
    with path.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for ask in (ledger.spent, partial(ledger.reserve, "1/4"), partial(Ledger, path, epsilon=1)):
            refuses("in use by another process", ask)
    assert path.read_bytes() == before
    ledger.reserve("1/4")
    assert ledger.left("1/4") == 2


@POSIX
def test_whoever_waits_for_a_ledger_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl  # there is none on other systems

    path = tmp_path / "ledger"
    ledger = Ledger(path, epsilon=1)
    with path.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        pauses = []

        def let_go(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 3:
                fcntl.flock(other, fcntl.LOCK_UN)

        monkeypatch.setattr("time.sleep", let_go)
        ledger.reserve("1/4")
    assert len(pauses) == 3
    assert ledger.left("1/4") == 3


TAKER = """
import sys
from pac_stability.errors import BudgetExhausted
from pac_stability.mechanisms import Ledger
ledger, taken = Ledger(sys.argv[1], epsilon=30), 0
try:
    while True:
        ledger.reserve("1/2", times=2)
        taken += 1
except BudgetExhausted:
    print(taken)
"""


@POSIX
def test_two_processes_never_overspend(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TAKER, str(tmp_path / "ledger")]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    taken = [int(process.communicate()[0]) for process in processes]
    assert sum(taken) == 30
    assert Ledger(tmp_path / "ledger", epsilon=30).left(1) == 0


@POSIX
def test_what_a_kill_cut_off_was_never_answered(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    Ledger(path, epsilon=1).reserve("1/4", times=2)
    whole = path.read_bytes()
    for cut in (1, 20, len(whole.splitlines()[-1])):
        path.write_bytes(whole[:-cut])
        again = Ledger(path, epsilon=1)
        assert again.left("1/4") == 4
        assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:-1])
        again.reserve("1/4")
        assert Ledger(path, epsilon=1).left("1/4") == 3
    # Also the header: as if it had never been.
    path.write_bytes(whole[:10])
    assert Ledger(path, epsilon=2).left(1) == 2


def doubled(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[-1]]


DAMAGE: list[Callable[[list[bytes]], list[bytes]]] = [
    doubled,
    lambda lines: [lines[0], lines[2]],  # one taken out
    lambda lines: [lines[0], lines[2], lines[1]],
    lambda lines: [*lines[:2], lines[2].replace(b"1/4", b"1/8")],
    lambda lines: [*lines[:2], lines[2][:32] + b"\xff" + lines[2][33:]],
    lambda lines: [b"a file of somebody's", *lines[1:]],
    lambda lines: lines[1:],
]


@POSIX
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_and_left_alone(
    tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]]
) -> None:
    path = tmp_path / "ledger"
    ledger = Ledger(path, epsilon=1)
    ledger.reserve("1/4")
    ledger.reserve("1/4")
    wrong = b"".join(line + b"\n" for line in damage(path.read_bytes().splitlines()))
    path.write_bytes(wrong)
    refuses("", Ledger, path, epsilon=1)
    assert path.read_bytes() == wrong


@POSIX
def test_a_file_that_became_shorter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    ledger = Ledger(path, epsilon=1)
    before = path.read_bytes()
    ledger.reserve("1/4")
    path.write_bytes(before)
    refuses("shorter", ledger.reserve, "1/4")


@POSIX
@pytest.mark.parametrize(("epsilon", "delta"), [(2, Fraction(0)), (1, HALF)])
def test_other_terms_are_refused(tmp_path: Path, epsilon: int, delta: Fraction) -> None:
    path = tmp_path / "ledger"
    Ledger(path, epsilon=1).reserve("1/4")
    refuses("other terms", Ledger, path, epsilon=epsilon, delta=delta)
    refuses("other terms", Ledger, path, epsilon=1, composition="optimal")


@POSIX
def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "ledger", "a\0b"):
        refuses("", Ledger, path, epsilon=1)


@pytest.mark.parametrize(("make", "argument"), [
    (lambda: Ledger(epsilon=-1), "epsilon"),
    (lambda: Ledger(epsilon=float("nan")), "epsilon"),
    (lambda: Ledger(epsilon=1, delta=2), "delta"),
    (lambda: Ledger(epsilon=1, composition="best"), "composition"),  # type: ignore[arg-type]  # wrong
    (lambda: Ledger(epsilon=1).reserve(-1), "epsilon"),
    (lambda: Ledger(epsilon=1).reserve("x"), "epsilon"),
    (lambda: Ledger(epsilon=1).reserve(1, times=-1), "times"),
    (lambda: Ledger(epsilon=1).left(0), "use"),
    (lambda: pickle.dumps(Ledger(epsilon=1)), "ledger"),
])  # fmt: skip
def test_bad_input(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
