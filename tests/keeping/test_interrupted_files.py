"""What is kept in files, interrupted at any line: nothing is half written, and nothing is false."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pac_stability import Coins, Sample, SeededCoins, arithmetic, audit
from pac_stability.claims.evidence import Tally
from pac_stability.claims.running import Cache
from pac_stability.mechanisms import Ledger
from pac_stability.randomness.lazy_uniform import LazyUniform
from shared_interrupts import interrupted, moments


@pytest.fixture(autouse=True)
def _nobody_cuts_the_power(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)


def noisy(sample: Sample[int], rng: Coins) -> int:
    return sample.labels[0] ^ rng.bernoulli(Fraction(1, 1 + len(sample) + sum(sample.labels)))


def test_an_audit_with_a_checkpoint_goes_on_from_any_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it keeps is what was answered, and nothing of the watch stays behind."""
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)  # a sample at a time
    path = tmp_path / "kept.json"
    standing = [random.random, os.urandom, sys.getprofile()]

    def asked() -> audit.AuditResult:
        return audit.differential_privacy(noisy, 1, 1, checkpoint=path, processes=1)

    whole = asked()
    begun = 0
    for moment in moments(asked, 40, seed=1):
        interrupted(asked, moment)
        assert [random.random, os.urandom, sys.getprofile()] == standing, moment
        assert not list(tmp_path.glob("*.old"))
        if not path.exists():
            continue
        begun += 1
        again = asked()
        assert (again.value, again.verdict, again.counts) == (
            whole.value, whole.verdict, whole.counts,
        ), moment  # fmt: skip
        assert not path.exists()
    assert begun > 5


def test_a_tally_in_the_cache_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    tally = Tally(7, misled=Fraction(1, 99), supported=2, active=5, tightest=0.5)
    store = partial(Cache(tmp_path / "whole").store, "it", tally)
    store()  # what is read once is read
    found = set()
    for moment in moments(partial(Cache(tmp_path / "all").store, "it", tally), 500, seed=1):
        folder = tmp_path / str(moment)
        interrupted(partial(Cache(folder).store, "it", tally), moment)
        after = Cache(folder)
        kept = after.load("it")
        assert kept is None or kept.tally == tally
        assert not after.remarks
        found.add(kept is None)
        after.store("it", tally)
        again = Cache(folder).load("it")
        assert again is not None
        assert again.tally == tally
    assert found == {True, False}


def _a_ledger_in_a_file(folder: Path) -> Ledger:
    return Ledger(Path(tempfile.mkdtemp(dir=folder)) / "ledger", epsilon=1)


@pytest.mark.parametrize(("make", "use"), [
    (lambda _: SeededCoins(7), lambda coins: (coins.bits(600), coins.rewind(coins.state()))),
    (lambda _: Ledger(epsilon=1), lambda ledger: (ledger.reserve("1/64"), ledger.spent())),
    (_a_ledger_in_a_file, lambda ledger: (ledger.reserve("1/64"), ledger.entries())),
    (
        lambda _: LazyUniform(SeededCoins(7), Fraction(0), Fraction(1)),
        lambda number: number < Fraction(1, 3),
    ),
    (lambda _: None, lambda _: arithmetic.log_choose(50, 7, 80)),
])  # fmt: skip
def test_no_interrupt_keeps_a_lock(
    tmp_path: Path, make: Callable[[Path], Any], use: Callable[[Any], object]
) -> None:
    use(make(tmp_path))  # what is imported once is imported
    for moment in moments(partial(use, make(tmp_path)), 100, seed=1):
        thing = make(tmp_path)
        interrupted(partial(use, thing), moment)
        other = threading.Thread(target=use, args=(thing,), daemon=True)
        other.start()
        other.join(60)
        assert not other.is_alive(), moment
