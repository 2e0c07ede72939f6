"""Names of hypotheses, and rows that are dropped: from files, through operations, to pickles."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pac_stability import FiniteClass
from shared_refusals import refuses

Write = Callable[[str, str], Path]
ANIMALS = "animals"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_text(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


def named() -> FiniteClass:
    return FiniteClass(
        [[0, 1], [1, 1], [0, 1], [0, 0]], ["a", "b"], names=["one", "two", "three", "four"]
    )


def test_the_first_of_equal_rows_keeps_its_name_and_the_others_are_counted() -> None:
    H = named()
    assert (H.names, H.duplicates) == (("one", "two", "four"), 1)
    assert [H.name(row) for row in range(3)] == [h.name for h in H] == ["one", "two", "four"]
    assert repr(H[2]) == "<Row 'four': 2 of 3: 'a': 0, 'b': 0>"
    plain = FiniteClass([[0], [0], [0]])
    assert (plain.names, plain.duplicates, plain[0].name) == (None, 2, "h0")


def test_names_do_not_make_a_difference() -> None:
    H, plain = named(), FiniteClass([[0, 1], [1, 1], [0, 0]], ["a", "b"])
    assert plain == H
    assert hash(H) == hash(plain)


@pytest.mark.parametrize(("names", "message"), [
    (["x", "y"], "2 names, want 3, one for each row"),
    (["x", "y", ""], "'' for row 2, want text"),
    (["x", "y", 3], "3 for row 2, want text"),
    (["x", "y", "x"], r"'x' twice \(rows 0 and 2\), want distinct names"),
])  # fmt: skip
def test_wrong_names_are_refused(names: list[str], message: str) -> None:
    refuses(message, FiniteClass, [[0, 0], [0, 1], [1, 1]], names=names)


def test_equal_rows_may_have_equal_names() -> None:
    assert FiniteClass([[0], [1], [0]], names=["x", "y", "x"]).names == ("x", "y")


def test_names_follow_their_hypotheses() -> None:
    H = named()
    assert H.select_rows([2, 0]).names == ("four", "one")
    assert H.version_space(["a"], [0]).names == ("one", "four")
    assert H.with_known({}).names == H.names
    # Other hypotheses: patterns, complements, points.
    assert H.restrict(["a"]).names is None
    assert [h.name for h in H.representatives_on(["a"])] == ["one", "two"]
    assert H.complement().names is None
    assert H.dual().names is None


def test_pickles_and_copies_keep_names_and_counts() -> None:
    H = named()
    for twin in (pickle.loads(pickle.dumps(H)), copy.copy(H), copy.deepcopy(H)):  # noqa: S301
        assert twin == H
        assert (twin.names, twin.duplicates) == (H.names, H.duplicates)
        assert not twin.packed.flags.writeable


@pytest.mark.parametrize("text", [
    "name,a,b\nbear,0,1\nbat,1,1\n",
    "# no line of names\nbear,0,1\nbat,1,1\n",
    "name;a;b\n bear ; 0;1\nbat;1;1\n",
])  # fmt: skip
def test_a_first_column_of_text_names_the_hypotheses(write: Write, text: str) -> None:
    H = FiniteClass.from_csv(write("t.csv", text))
    assert H.names == ("bear", "bat")
    assert H.table.tolist() == [[0, 1], [1, 1]]
    assert H.domain == (("a", "b") if "a" in text.splitlines()[0].split(" ")[0] else (0, 1))


def test_names_that_are_numbers_must_be_announced(write: Write) -> None:
    path = write("t.csv", "student,a\n7,0\n8,1\n")
    refuses("'7' in line 2, column 1, want names=True, if", FiniteClass.from_csv, path)
    H = FiniteClass.from_csv(path, names=True)
    assert (H.names, H.domain) == (("7", "8"), ("a",))
    # What stands above the names says nothing about the first line.
    assert FiniteClass.from_csv(write("t.csv", "0,a\n7,0\n"), names=True).domain == ("a",)


@pytest.mark.parametrize(("text", "message"), [
    ("name,a\nbear,0\n,1\n", "'' in line 3, column 1, want a name"),
    ("name,a\nbear,0\nbat,x\n", "'x' in line 3, column 2"),
])  # fmt: skip
def test_names_in_a_file_that_are_none(write: Write, text: str, message: str) -> None:
    refuses(message, FiniteClass.from_csv, write("t.csv", text))


def test_names_that_repeat_are_numbered_and_said(write: Write) -> None:
    H = FiniteClass.from_csv(write("t.csv", "name,a,a\nfrog,0,1\nfrog#2,1,1\nfrog,1,0\n"))
    assert (H.names, H.domain) == (("frog", "frog#2", "frog#3"), ("a", "a#2"))
    assert [note.partition(" and")[0] for note in H.reading.notes] == [
        "names of points repeat",
        "names of hypotheses repeat",
    ]
    left = FiniteClass.from_csv(write("t.csv", "name,a\nfrog,0\nfrog,1\n"), names=False)
    assert (left.names, left.reading.more) == (None, ("column 1, a text, left out",))


@pytest.mark.parametrize("domain", [None, ["a", "b"]])
def test_names_come_back_from_files(tmp_path: Path, domain: list[str] | None) -> None:
    H = FiniteClass([[0, 1], [1, 1]], domain, names=["x, y", 'an "owl"'])
    for write, read in ((H.to_csv, FiniteClass.from_csv), (H.to_json, FiniteClass.from_json)):
        write(tmp_path / "file")
        again = read(tmp_path / "file")
        assert (again, again.names) == (H, H.names)


def test_every_animal_has_a_name_and_attributes_of_its_own() -> None:
    H = FiniteClass.from_csv(ANIMALS)
    assert (len(H), len(set(H.names or ())), H.duplicates) == (36, 36, 0)

    def those(*points: str) -> set[str]:
        return {h.name for h in H if all(h(point) for point in points)}

    # What everyone knows of them.
    assert those("feathers") == {"chicken", "duck", "eagle", "ostrich", "owl", "penguin"}
    assert those("eggs", "milk") == {"platypus"}
    assert those("milk", "flies") == {"bat"}
    assert those("fins", "backbone") == {
        "dolphin", "hammerhead shark", "salmon", "seal"
    }  # fmt: skip
    assert those("venomous", "backbone") == {"adder", "platypus"}
    assert those("horns") == {"gazelle", "goat", "water buffalo"}
    assert not those("milk") - those("backbone", "lungs")
    assert not those("feathers") - those("eggs", "backbone", "lungs", "tail")
    assert not those("hair", "backbone") - those("milk")


def test_arrays_of_any_type_are_packed_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from pac_stability.classes import validation  # its block is made small

    monkeypatch.setattr(validation, "_BLOCK", 50)
    table = np.random.default_rng(0).integers(0, 2, (40, 7))
    plain = FiniteClass(table.tolist())
    for dtype in (np.uint8, np.int64, np.float32, np.bool_, object):
        assert FiniteClass(table.astype(dtype)) == plain
        assert FiniteClass(np.asfortranarray(table.astype(dtype))) == plain
    table[33, 5] = 2
    refuses("2 at row 33, column 5", FiniteClass, table)
