"""Broken files, the kept ones and a few hundred new ones, against every reader."""

from pathlib import Path

import pytest

from shared_examples import loaded

ROOT = Path(__file__).parents[2]


FUZZ = loaded(ROOT / "tools" / "fuzz.py")


@pytest.mark.parametrize("reader", [*FUZZ.BYTES, *FUZZ.FILES])
def test_every_reader_reads_or_refuses(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FUZZ, "SLOW", float("inf"))  # no test judges speed
    tally = FUZZ.fuzz(reader, inputs=150, seed=5, seconds=float("inf"))
    assert tally.failures == []
    assert tally.read + tally.refused == 150
    assert min(tally.read, tally.refused) > 0


def test_a_reader_that_raises_anything_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUZZ.BYTES, "numbers", int)
    tally = FUZZ.fuzz("numbers", inputs=20, seed=5, seconds=float("inf"))
    assert len(tally.failures) >= 10
    assert all("ValueError" in failure for failure in tally.failures)


def test_a_file_of_the_corpus_that_is_refused_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUZZ.BYTES, "json", lambda content: FUZZ.number_from(content.decode(), "x"))
    tally = FUZZ.fuzz("json", inputs=3, seed=5, seconds=float("inf"))
    assert sum("a file of the corpus is refused" in failure for failure in tally.failures) == 3


def test_an_input_is_a_function_of_its_number() -> None:
    assert FUZZ.inputs_of("json", 5, 0, 40)[20:] == FUZZ.inputs_of("json", 5, 20, 20)
    assert FUZZ.inputs_of("json", 5, 20, 5) != FUZZ.inputs_of("json", 6, 20, 5)
