import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteClass, InvalidInput
from pac_stability.online import GreedyAdversary, Halving, Round, Transcript, class_digest, play
from shared_refusals import refuses

CUBE = FiniteClass([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
# Halving with tie 1 on CUBE: 1,1,0 at first.  Contradicted at point 0 it keeps rows 0 and 1 and
# predicts 0,1,0; contradicted at point 1 it keeps row 0.
PLAYED = (Round(0, 1, 0), Round(1, 1, 0))


def test_a_game_is_recorded_and_accepted() -> None:
    transcript = play(CUBE, Halving(CUBE), GreedyAdversary(CUBE))
    assert transcript == Transcript(class_digest(CUBE), "Halving", PLAYED, 2, realizable=True)
    check = transcript.check(CUBE, Halving(CUBE))
    assert (check.accepted, check.reason, check.witness) == (True, "", 0)
    assert transcript.replay(CUBE, Halving(CUBE)) == (1, 1)


@pytest.mark.parametrize(("change", "reason"), [
    ({"mistakes": 1}, "mistakes: claimed 1, counted 2"),
    ({"mistakes": 1, "rounds": (PLAYED[0], Round(1, 0, 0))}, "round 2: prediction 0 recorded"),
    ({"rounds": (*PLAYED, Round(0, 0, 1)), "mistakes": 3}, "agrees with rounds 1..3"),
    ({"rounds": (*PLAYED, Round(2, 0, 1), Round(0, 0, 0)), "mistakes": 3}, "rounds 1..3"),
    ({"realizable": False}, "claimed false, but hypothesis 0 agrees"),
    ({"class_id": "sha256:00"}, "class: the transcript is about sha256:00"),
    ({"rounds": (Round(3, 1, 0),)}, "round 1: point 3 is no column"),
    ({"rounds": (Round(-1, 1, 0),)}, "round 1: point -1 is no column"),
    ({"rounds": (PLAYED[0], Round(1, 2, 0))}, "round 2: prediction 2 is not 0 or 1"),
    ({"rounds": (PLAYED[0], Round(1, 1, -1))}, "round 2: label -1 is not 0 or 1"),
])  # fmt: skip
def test_an_altered_transcript_is_rejected_with_the_reason(
    change: dict[str, object], reason: str
) -> None:
    honest = Transcript.of(CUBE, "Halving", PLAYED)
    altered = replace(honest, **change)  # type: ignore[arg-type]  # each entry fits its field
    check = altered.check(CUBE, Halving(CUBE))
    assert not check.accepted
    assert reason in check.reason


def test_the_learner_is_only_held_to_its_predictions_when_given() -> None:
    other = Transcript.of(CUBE, "nobody", [Round(0, 0, 0)])
    assert other.check(CUBE).accepted
    assert other.check(CUBE, Halving(CUBE)).reason == (
        "round 1: prediction 0 recorded, the learner predicts 1"
    )


def test_a_sequence_that_no_hypothesis_agrees_with_has_no_witness() -> None:
    transcript = Transcript.of(CUBE, "nobody", [Round(2, 0, 1)])
    assert not transcript.realizable
    assert transcript.check(CUBE) == transcript.check(CUBE, Halving(CUBE))
    assert transcript.check(CUBE).accepted
    assert transcript.check(CUBE).witness is None


def test_the_digest_tells_classes_apart() -> None:
    tables = [[[0, 1]], [[1, 0]], [[0], [1]], [[0, 0]], [[0, 1, 0]], [[1, 0], [0, 1]]]
    assert len({class_digest(FiniteClass(table)) for table in tables}) == len(tables)
    # The shape, then each row padded to bytes: 0100 0000.
    assert (
        class_digest(FiniteClass([[0, 1]]))
        == f"sha256:{sha256(b'1x2' + bytes([10, 64])).hexdigest()}"
    )


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)), max_size=6))
def test_json_round_trip(rounds: list[tuple[int, int, int]]) -> None:
    transcript = Transcript.of(CUBE, "any", [Round(*entry) for entry in rounds])
    assert Transcript.from_json(json.loads(json.dumps(transcript.to_json()))) == transcript


def test_saving_and_loading(tmp_path: Path) -> None:
    transcript = Transcript.of(CUBE, "Halving", PLAYED)
    path = tmp_path / "game.json"
    path.write_text("something older")
    transcript.save(path)
    assert Transcript.load(path) == transcript
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_a_save_that_fails_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    path.write_text("something older")

    def fail(*_: Path) -> Path:
        raise OSError(5, "disk on fire")

    monkeypatch.setattr(Path, "replace", fail)
    refuses("disk on fire", Transcript.of(CUBE, "Halving", PLAYED).save, path)
    assert path.read_text() == "something older"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize(("edit", "message"), [
    ({"schema": "pac-stability/transcript/9"}, "schema: got 'pac-stability/transcript/9'"),
    ({"mistakes": True}, "mistakes: got True, want a JSON int"),
    ({"mistakes": "2"}, "mistakes: got '2', want a JSON int"),
    ({"rounds": {}}, "rounds: got {}, want a JSON list"),
    ({"rounds": [[0, 1, 0]]}, "round 1: got list, want a JSON object"),
    ({"rounds": [{"point": 0, "prediction": 1}]}, "round 1: label: got missing field"),
    ({"rounds": [{"point": 0.5, "prediction": 1, "label": 0}]}, "round 1: point: got 0.5"),
    ({"more": 1}, "more: got unknown field"),
])  # fmt: skip
def test_a_corrupt_file_is_refused_with_the_place(
    tmp_path: Path, edit: dict[str, object], message: str
) -> None:
    path = tmp_path / "game.json"
    value = Transcript.of(CUBE, "Halving", PLAYED).to_json()
    path.write_text(json.dumps(value | edit))
    with pytest.raises(InvalidInput) as caught:
        Transcript.load(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("content", [b'{"schema": ', b"\xff\xfe", b"[]", b""])
def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    refuses(r"game\.json: got", Transcript.load, path)
