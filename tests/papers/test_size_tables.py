"""Golden tables: every size function on a grid gives what was recorded, row by row.

``python tests/shared/shared_size_tables.py --write`` records them again. A difference is either a
bug or a proof, and ``tests/papers/size_tables.md`` says which for each that there was.
"""

import os

import pytest

import shared_size_tables as size_tables

NAMES = ["DF20 sizes", "DF20 lower bounds", "BLM20", "CLNRW16", "compression"]


@pytest.mark.parametrize("table", NAMES)
def test_sizes_are_those_that_were_recorded(table: str) -> None:
    kept = size_tables.kept()[table]
    assert len(kept) >= 30
    assert kept.keys() == size_tables.asked_for(table).keys()
    now = size_tables.computed(table, os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly")
    assert size_tables.differences({name: kept[name] for name in now}, now) == []


def test_every_table_is_asked() -> None:
    assert size_tables.written(size_tables.kept()) == size_tables.FILE.read_text(encoding="utf-8")
    assert list(size_tables.TABLES) == list(size_tables.kept()) == NAMES


def test_a_size_that_changes_by_one_is_noticed() -> None:
    kept = size_tables.kept()["DF20 sizes"]
    name, said = next(item for item in kept.items() if "theorem_1" in item[0])
    assert size_tables.differences(kept, {**kept, name: said + "0"}) == [
        f"{name}: was {said}, is {said}0"
    ]
