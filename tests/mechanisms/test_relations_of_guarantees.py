"""One relation in a ledger, a composition, an export: what is converted, and what is refused."""

import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import Epsilon, data, errors, mechanisms
from shared_refusals import refuses

ADDED, REPLACED = data.Neighbouring.ADD_REMOVE, data.Neighbouring.REPLACE_ONE
TWO = Epsilon.exactly(2)


def test_a_row_replaced_is_one_removed_and_one_added() -> None:
    # P <= 2 R + 1/10 and R <= 2 Q + 1/10, so P <= 4 Q + 3/10.
    one = mechanisms.PrivacyGuarantee(TWO, Fraction(1, 10), ADDED)
    assert one.under(REPLACED) == mechanisms.PrivacyGuarantee(Epsilon.exactly(4), Fraction(3, 10))
    assert one.under(ADDED) is one
    assert mechanisms.PrivacyGuarantee(TWO, Fraction(2, 5), ADDED).under(REPLACED).delta == 1
    refuses("other sizes", mechanisms.PrivacyGuarantee(TWO).under, ADDED)
    assert "add-remove" in repr(one)
    assert "replace" not in repr(mechanisms.PrivacyGuarantee(TWO))


def test_a_ledger_adds_up_what_one_replaced_row_loses() -> None:
    # A count with noise of each relation, epsilon ln 2 each: ln 8 under one row replaced.
    uses = [mechanisms.PrivacyGuarantee(TWO, Fraction(0), ADDED), mechanisms.PrivacyGuarantee(TWO)]
    for budget, fits in ((7, False), (8, True)):
        ledger = mechanisms.Ledger(epsilon=Epsilon.exactly(budget))
        ledger.reserve(uses[0])
        if not fits:
            with pytest.raises(errors.BudgetExhausted, match="for one row replaced"):
                ledger.reserve(uses[1])
        else:
            ledger.reserve(uses[1])
            assert ledger.left(uses[1]) == 0
    added = mechanisms.Ledger(epsilon=Epsilon.exactly(8), neighbours="add-remove")
    assert (added.left(uses[0]), added.neighbours) == (3, ADDED)
    refuses("other sizes", added.reserve, uses[1])
    assert added.spent() == {}


def test_compositions_hold_one_relation() -> None:
    added, replaced = (
        mechanisms.PrivacyGuarantee(TWO, Fraction(0), ADDED),
        mechanisms.PrivacyGuarantee(TWO),
    )
    assert mechanisms.basic_composition([added, added]) == mechanisms.PrivacyGuarantee(
        Epsilon.exactly(4), Fraction(0), ADDED
    )
    assert mechanisms.basic_composition([added, replaced]) == mechanisms.PrivacyGuarantee(
        Epsilon.exactly(8)
    )
    assert mechanisms.optimal_delta([added, replaced], Epsilon.exactly(8)) == 0
    assert mechanisms.optimal_delta([added, replaced], Epsilon.exactly(4)) > 0
    assert mechanisms.Composition([added]).neighbours is ADDED
    mixed = mechanisms.Composition({added: 1, replaced: 1})
    assert (mixed.neighbours, mixed.epsilon(0).ratio) == (REPLACED, Fraction(8))
    assert mechanisms.Composition([added], REPLACED).epsilon(0).ratio == 4
    refuses("other sizes", mechanisms.Composition, [added, replaced], ADDED)
    assert mechanisms.uses_left([added], replaced, Epsilon.exactly(8), 0) == 1
    refuses("rows added or removed", mechanisms.subsampling_amplification, added, 1, 2)


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked on POSIX systems only")
def test_a_file_keeps_its_relation_and_reads_what_was_before(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    ledger = mechanisms.Ledger(path, epsilon=1, neighbours="add-remove")
    ledger.reserve("1/4", times=2, name="count", note="of owls")
    refuses("other terms", mechanisms.Ledger, path, epsilon=1)
    again = pickle.loads(pickle.dumps(ledger))  # noqa: S301  # our own
    assert (again.neighbours, again.left("1/4")) == (ADDED, 2)
    (entry,) = again.entries()
    assert (entry.times, entry.name, entry.note) == (2, "count", "of owls")
    assert f"2 uses of epsilon 1/4: count, {entry.date}, of owls\n" in again.report()
    assert "used, for rows added or removed: epsilon 0.5\n" in again.report()


OLD = """\
965bf1897b043e97c68d1c5e66b3caca pac_stability-ledger 1 1 1 0 basic
d60f3b18793318af92c3523b478ec7fe 2 1/4 1 0
593336485c2cf55324235b2cdd8c3439 1 1/8 1 0
"""
"""A file from before there were relations, names and dates: all was taken for a row replaced."""


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked on POSIX systems only")
def test_an_old_file_goes_on_for_a_row_replaced(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    path.write_text(OLD)
    refuses("other terms", mechanisms.Ledger, path, epsilon=1, neighbours="add-remove")
    old = mechanisms.Ledger(path, epsilon=1)
    assert [(each.times, each.date) for each in old.entries()] == [(2, ""), (1, "")]
    old.reserve("1/8", note="new")
    assert path.read_text().startswith(OLD)
    assert mechanisms.Ledger(path, epsilon=1).left("1/8") == 2


@pytest.mark.parametrize("wrong", ["two\nlines", "a\tb", "\x1b[2J", "x" * 201, 3])
@pytest.mark.parametrize("argument", ["name", "note"])
def test_what_is_noted_is_one_line(argument: str, wrong: object) -> None:
    ledger = mechanisms.Ledger(epsilon=1)
    with pytest.raises(errors.InvalidInput) as caught:
        ledger.reserve("1/2", **{argument: wrong})  # type: ignore[arg-type]  # wrong
    assert caught.value.argument == argument
    assert ledger.left("1/2") == 2


MAKERS: list[Callable[[], object]] = [
    lambda: mechanisms.Ledger(epsilon=1, neighbours="both"),  # type: ignore[arg-type]  # wrong
    lambda: mechanisms.PrivacyGuarantee(TWO, Fraction(0), "none"),  # type: ignore[arg-type]  # wrong
]


@pytest.mark.parametrize("make", MAKERS)
def test_another_relation_is_refused(make: Callable[[], object]) -> None:
    refuses("'replace-one' or 'add-remove'", make)
