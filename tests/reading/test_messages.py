"""What a message quotes is a stranger's: it stays one line of at most a thousand characters."""

import json
import pickle
from pathlib import Path

import pytest

from pac_stability.classes import FiniteClass
from pac_stability.cli.black_box import distribution_from, points_from
from pac_stability.errors import LONGEST, InvalidInput, shortened
from pac_stability.online.game import Round, Transcript

H = FiniteClass([[0, 0], [0, 1], [1, 1]])
LONG = "9" * 4_000
EXAMPLE = {"point": 0, "label": 1, "probability": "1"}


def is_a_message(text: str) -> bool:
    return text.isprintable() and len(text) <= 1_000


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("text", [LONG, "two\nlines", "\x1b[2J", "\x85" * 5_000, "\ud800"])
def test_each_part_is_bounded(text: str, place: int) -> None:
    parts = ["argument", "given", "wanted"]
    parts[place] = text
    refusal = InvalidInput(*parts)
    assert is_a_message(str(refusal))
    assert str(pickle.loads(pickle.dumps(refusal))) == str(refusal)  # noqa: S301  # our own
    others = [refusal.argument, refusal.given, refusal.wanted]
    del others[place], parts[place]
    assert others == parts


def test_what_cannot_be_shown_is_replaced_and_no_more() -> None:
    refusal = InvalidInput("two\nlines", "a  b \u00e9", "\x1b[2J\tx")
    assert str(refusal) == "two lines: got a  b \u00e9, want ?[2J x"


def test_a_text_is_cut_to_its_length() -> None:
    assert shortened("x" * 20, 20) == "x" * 20
    assert shortened("0123456789" * 3, 20) == "01234567 ... 3456789"
    assert shortened("0123456789" * 3, 21) == "01234567 ... 23456789"


def test_all_parts_together_are_bounded() -> None:
    refusal = InvalidInput(LONG, LONG, LONG)
    assert is_a_message(str(refusal))
    assert str(pickle.loads(pickle.dumps(refusal))) == str(refusal)  # noqa: S301  # our own


def test_what_is_short_enough_is_whole() -> None:
    assert LONGEST == 960
    parts = "x" * 100, "y" * (LONGEST - 200), "z" * 100
    refusal = InvalidInput(*parts)
    assert (refusal.argument, refusal.given, refusal.wanted) == parts
    longer = InvalidInput(*parts[:2], parts[2] + "z")
    assert longer.given == "y" * 158 + " ... " + "y" * 157
    assert (longer.argument, longer.wanted) == (parts[0], parts[2] + "z")


@pytest.mark.parametrize("text", ["pac-s" + "-" * 900 + "tability/transcript/1", "a\nb", LONG])
@pytest.mark.parametrize("place", ["schema", "class", "learner", "mistakes", "point", "a key"])
def test_transcripts(text: str, place: str, tmp_path: Path) -> None:
    """The first of these texts is what the fuzzer found, in the place of the schema."""
    document = json.loads(json.dumps(Transcript.of(H, "constant 0", [Round(0, 0, 0)]).to_json()))
    if place == "point":
        document["rounds"][0]["point"] = text
    else:
        document[text if place == "a key" else place] = text
    path = tmp_path / "it.json"
    path.write_text(json.dumps(document))
    try:
        reason = Transcript.load(path).check(H).reason
    except InvalidInput as refusal:
        reason = str(refusal)
    assert is_a_message(reason)
    assert bool(reason) is (place != "learner")


@pytest.mark.parametrize("place", ["point", "mistakes"])
def test_numbers_in_transcripts(place: str, tmp_path: Path) -> None:
    document = json.loads(json.dumps(Transcript.of(H, "constant 0", [Round(0, 0, 0)]).to_json()))
    (document["rounds"][0] if place == "point" else document)[place] = int(LONG)
    path = tmp_path / "it.json"
    path.write_text(json.dumps(document))
    reason = Transcript.load(path).check(H).reason
    assert reason
    assert is_a_message(reason)


@pytest.mark.parametrize("text", [LONG, "two\nlines"])
def test_tables_and_distributions(text: str, tmp_path: Path) -> None:
    path = tmp_path / "it.json"
    for document in (
        [{**EXAMPLE, "probability": text}],
        [{**EXAMPLE, "point": {text: 0}}],
        [{**EXAMPLE, "label": text}],
        [{**EXAMPLE, text: 1}],
    ):
        path.write_text(json.dumps(document))
        with pytest.raises(InvalidInput) as refusal:
            distribution_from(str(path), None, labelled=True)
        assert is_a_message(str(refusal.value))
    path.write_text(json.dumps([{text: text}]))
    with pytest.raises(InvalidInput) as refusal:
        points_from(str(path), "--domain")
    assert is_a_message(str(refusal.value))
    path.write_text(json.dumps({"domain": ["a", {"fraction": text}], "hypotheses": [[0, 1]]}))
    with pytest.raises(InvalidInput) as refusal:
        FiniteClass.from_json(path)
    assert is_a_message(str(refusal.value))
