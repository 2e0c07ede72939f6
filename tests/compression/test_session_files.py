"""Transcripts as JSON: what is written, what is read back, what is refused."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import InvalidInput, Sample, compression, testing
from pac_stability.compression.scheme import Selection
from pac_stability.compression.transcript import (
    SCHEMA,
    AnsweredRound,
    KeptRound,
    Round,
    SessionTranscript,
    UnansweredRound,
    check_of,
    from_document,
    load_transcript,
    save_transcript,
    to_document,
)
from shared_draws import plain_values
from shared_refusals import refuses

KEPT = KeptRound((2, 0), Sample([(1, 2), Fraction(1, 3)], [0, 1]), 2, Selection.DISTINCT)
FILTERED = KeptRound((3,), Sample(["a"], [1]), 4, Selection.SEQUENCE, filtered=True)
ANSWERED = AnsweredRound(5, 3)
TRANSCRIPT = SessionTranscript(7, Fraction(1, 20), 6, 4, (KEPT, FILTERED, ANSWERED), closed=True)


@st.composite
def kept_rounds(draw: st.DrawFn, n: int) -> KeptRound:
    indices = tuple(draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4)))
    size = len(indices)
    kept = draw(testing.strategies.samples(plain_values(), min_size=size, max_size=size))
    filtered = draw(st.booleans())
    told = size + (draw(st.integers(0, 3)) if filtered else 0)
    return KeptRound(indices, kept, told, draw(st.sampled_from(Selection)), filtered)


@st.composite
def transcripts(draw: st.DrawFn) -> SessionTranscript:
    n = draw(st.integers(1, 20))
    answered = st.integers(1, 80).flatmap(
        lambda bits: st.builds(AnsweredRound, st.integers(0, 2**bits - 1), st.just(bits))
    )
    rounds: list[Round] = draw(st.lists(kept_rounds(n) | answered, max_size=5))
    delta = draw(st.fractions(Fraction(1, 1000), Fraction(999, 1000)))
    free = SessionTranscript(n, delta, rounds=tuple(rounds), closed=draw(st.booleans()))
    if draw(st.booleans()):
        return free
    limits = max(1, free.used) + draw(st.integers(0, 3)), free.used_bits + draw(st.integers(0, 3))
    return SessionTranscript(n, delta, *limits, rounds=free.rounds, closed=free.closed)


@settings(max_examples=50)
@given(transcripts())
def test_what_is_written_is_read_back(transcript: SessionTranscript) -> None:
    assert from_document(json.loads(json.dumps(to_document(transcript)))) == transcript


def test_the_document_tells_no_more_than_the_transcript() -> None:
    """The fields are those of the schema; nothing else of the sample is there, no digest either."""
    assert to_document(TRANSCRIPT) == {
        "schema": SCHEMA,
        "n": 7,
        "delta": "1/20",
        "budget": 6,
        "bits": 4,
        "closed": True,
        "tested": False,
        "failed": False,
        "rounds": [
            {
                "indices": [2, 0],
                "kept": {"points": [[1, 2], {"fraction": "1/3"}], "labels": [0, 1]},
                "size": 2,
                "selection": "distinct",
                "filtered": False,
            },
            {
                "indices": [3],
                "kept": {"points": ["a"], "labels": [1]},
                "size": 4,
                "selection": "sequence",
                "filtered": True,
            },
            {"answer": 5, "bits": 3},
        ],
    }


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    save_transcript(TRANSCRIPT, path)
    assert load_transcript(path) == TRANSCRIPT
    assert [entry.name for entry in tmp_path.iterdir()] == ["session.json"]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    save_transcript(TRANSCRIPT, path)
    no_json = KeptRound((0,), Sample([frozenset()], [1]), 1)
    with pytest.raises(InvalidInput, match="points"):
        save_transcript(SessionTranscript(7, Fraction(1, 20), rounds=(no_json,)), path)
    assert load_transcript(path) == TRANSCRIPT
    with pytest.raises(InvalidInput, match="want a file that can be written"):
        save_transcript(TRANSCRIPT, tmp_path / "missing" / "session.json")


def test_a_session_is_saved_and_loaded(tmp_path: Path) -> None:
    sample: Sample[object] = Sample("abc", [0, 1, 1])
    session = compression.AdaptiveSession(sample, Fraction(1, 20), 2, bits=2)
    session.query(lambda S: sum(S.labels), 2)
    session.save(tmp_path / "session.json")
    again = compression.AdaptiveSession.load(sample, tmp_path / "session.json")
    assert again.transcript == session.transcript
    with pytest.raises(InvalidInput, match="sample: got 2 examples, want 3"):
        compression.AdaptiveSession.load(sample[:2], tmp_path / "session.json")


def changed(**fields: object) -> Callable[[dict[str, object]], None]:
    return lambda document: document.update(fields)


def in_round(number: int, **fields: object) -> Callable[[dict[str, object]], None]:
    def change(document: dict[str, object]) -> None:
        rounds = document["rounds"]
        assert isinstance(rounds, list)
        rounds[number].update(fields)

    return change


def pending(**fields: object) -> Callable[[dict[str, object]], None]:
    """Put a round without an answer in front."""
    none = {"unanswered": True, "size": 0, "bits": 0, "selection": None, "filtered": False}

    def change(document: dict[str, object]) -> None:
        rounds = document["rounds"]
        assert isinstance(rounds, list)
        rounds[0] = {**none, **fields}

    return change


@pytest.mark.parametrize(("change", "reason"), [
    (changed(schema="pac-stability/adaptive-session/2"), "schema: got .*session/2"),
    (changed(digest="00"), "an object with the keys schema, n"),
    (changed(n=True), "n: got True, want a JSON value of type int"),
    (changed(n=0), "n: got 0"),
    (changed(delta=0.05), "delta: got 0.05, want a JSON value of type str"),
    (changed(delta="2"), "delta: got 2"),
    (changed(delta="1e-99999999"), "delta"),
    (changed(budget="6"), "budget: got '6'"),
    (changed(budget=5), "rounds: got 6 examples and 4 bits, want at most 5 and 4"),
    (changed(bits=3), "rounds: got 6 examples and 4 bits, want at most 6 and 3"),
    (changed(budget=None), "bits: got 4, want 0 where there is no budget"),
    (changed(closed=1), "closed: got 1"),
    (changed(rounds={}), "rounds: got {}"),
    (changed(rounds=[3]), "round 1: got 3"),
    (in_round(0, indices=[2, 7]), "round 1: indices: got .2, 7., want indices below 7"),
    (in_round(0, indices=[2, -1]), "round 1: indices"),
    (in_round(0, indices=[2, True]), "round 1: indices: got True"),
    (in_round(0, indices=[2]), "round 1: kept: got 2 examples, want 1"),
    (in_round(0, size=3), "round 1: indices: got 2 of them, want 3"),
    (in_round(0, size=0), "round 1: size: got 0"),
    (in_round(0, selection="any"), "round 1: selection: got 'any', want 'sequence'"),
    (in_round(0, selection=["any"]), "round 1: selection"),
    (in_round(0, kept={"points": [1]}), "document"),
    (in_round(0, kept={"points": [{"f": 1}, 2], "labels": [0, 1]}), "points"),
    (in_round(0, kept={"points": [1, 2], "labels": [0, 2]}), "labels"),
    (in_round(1, size=0), "round 2: size"),
    (in_round(1, filtered=False), "round 2: indices: got 1 of them, want 4"),
    (in_round(2, answer=8), r"round 3: answer: got 8, want an answer below 2\*\*3"),
    (in_round(2, answer=-1), "round 3: answer: got -1"),
    (in_round(2, bits=0), "round 3: bits: got 0"),
    (changed(tested=1), "tested: got 1"),
    (changed(failed="no"), "failed: got 'no'"),
    (changed(closed=False, tested=True), "closed: got an open session that was tested"),
    (changed(closed=False, failed=True), "closed: got an open session that was tested"),
    (pending(size=0, selection="subset"), "round 1: unanswered: got size 0"),
    (pending(size=1, bits=1, selection="subset"), "round 1: unanswered: got size 1, bits 1"),
    (pending(size=1, bits=1), "round 1: unanswered: got size 1"),
    (pending(filtered=True, bits=1), "round 1: unanswered"),
    (pending(), "round 1: unanswered: got size 0, bits 0"),
    (pending(bits=1, unanswered=1), "round 1: unanswered"),
    (pending(bits=-1), "round 1: bits: got -1"),
    (pending(size=1, selection="any"), "round 1: selection: got 'any'"),
])  # fmt: skip
def test_other_documents_are_refused(
    change: Callable[[dict[str, object]], None], reason: str, tmp_path: Path
) -> None:
    document = to_document(TRANSCRIPT)
    change(document)
    path = tmp_path / "session.json"
    checked = {**document, "check": check_of(document)}
    path.write_text(json.dumps(checked), encoding="utf-8")
    refuses(reason, load_transcript, path)


@pytest.mark.parametrize(("content", "reason"), [
    (b"{", "no JSON|no UTF-8|enormous integer"),
    (b"\xff", "no JSON|no UTF-8|enormous integer"),
    (b'{"n": 1, "n": 2}', "the key 'n' twice"),
    (b'{"n": NaN}', "got NaN"),
    (b"[" * 10**5, "nested too deeply"),
    (b"7" * 10**4, "no JSON|no UTF-8|enormous integer"),
    (b"[]", "got \\[\\], want an object"),
])  # fmt: skip
def test_other_files_are_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_bytes(content)
    refuses(reason, load_transcript, path)


def test_a_file_that_something_else_changed_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    save_transcript(TRANSCRIPT, path)
    text = path.read_text()
    for old, new in (('"answer": 5', '"answer": 4'), ('"1/20"', '"1/10"'), ('"check"', '"chekc"')):
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))
        refuses(r"check|keys", load_transcript, path)
        assert path.read_text() == text.replace(old, new)
    path.write_text(text)
    assert load_transcript(path) == TRANSCRIPT


@pytest.mark.parametrize("round_", [
    UnansweredRound(0, 3),
    UnansweredRound(2, 0, Selection.SUBSET),
    UnansweredRound(2, 1, Selection.DISTINCT, filtered=True),
])  # fmt: skip
def test_rounds_without_an_answer_are_kept(round_: UnansweredRound, tmp_path: Path) -> None:
    for ended in ({}, {"closed": True, "failed": True}, {"closed": True, "tested": True}):
        transcript = SessionTranscript(7, Fraction(1, 20), rounds=(round_,), **ended)
        save_transcript(transcript, tmp_path / "session.json")
        assert load_transcript(tmp_path / "session.json") == transcript


def test_a_point_nested_deeply(tmp_path: Path) -> None:
    document = to_document(TRANSCRIPT)
    nested = "[" * 900 + "]" * 900
    text = json.dumps(document).replace('"a"', nested)
    (tmp_path / "session.json").write_text(text, encoding="utf-8")
    refuses("nested too deeply", load_transcript, tmp_path / "session.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    refuses("want a file that can be read", load_transcript, tmp_path / "missing.json")


@pytest.mark.parametrize("round_", [
    {"answer": 0, "bits": 10**12},
    {"answer": 0, "bits": 10**400},
    {**to_document(TRANSCRIPT)["rounds"][1], "size": 10**9},  # type: ignore[index]  # a list
])  # fmt: skip
def test_rounds_whose_choices_no_memory_can_hold(round_: object, tmp_path: Path) -> None:
    free = to_document(SessionTranscript(7, Fraction(1, 20)))
    path = tmp_path / "session.json"
    path.write_text(json.dumps({**free, "rounds": [round_], "check": ""}))
    refuses(r"^rounds: got up to 2\*\*\(.*\) choices, want", load_transcript, path)


def test_rounds_that_look_at_no_example_may_be_as_large_as_they_like() -> None:
    indices = tuple(range(1000))
    kept = Sample([0] * 1000, [1] * 1000)
    round_ = KeptRound(indices, kept, 1000, Selection.OBLIVIOUS)
    transcript = SessionTranscript(2**2000, Fraction(1, 20), rounds=(round_,) * 600)
    assert transcript.choices == 1
