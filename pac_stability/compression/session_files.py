"""Transcripts of adaptive sessions as JSON files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from os import PathLike
from typing import TypeVar

from pac_stability.arguments import as_fraction, as_size, described
from pac_stability.compression.scheme import Selection
from pac_stability.compression.transcript import (
    AnsweredRound,
    KeptRound,
    Round,
    SessionTranscript,
    UnansweredRound,
)
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.reading import read_json

SCHEMA = "pac-stability/adaptive-session/1"

T = TypeVar("T")


def to_document(transcript: SessionTranscript) -> dict[str, object]:
    """Return a transcript as a dictionary that ``json.dumps`` accepts.

    Raises
    ------
    InvalidInput
        A point has no JSON form; :meth:`pac_stability.data.Sample.to_dict` says which have one.

    Notes
    -----
    ``schema``; ``n``; ``delta`` as ``"p/q"``; ``budget``, an integer or ``null``; ``bits``;
    ``closed``, ``tested`` and ``failed``; and ``rounds``. A round of kept examples has their
    ``indices`` in the sample, the examples ``kept`` there, the ``size`` charged, the ``selection``
    and whether it was ``filtered``; a query has its ``answer`` and its ``bits``. A round that was
    charged and not answered has ``unanswered``, its ``size`` and ``bits``, ``selection`` (``null``
    for a query) and ``filtered``. No digest of the sample is written.

    Examples
    --------
    >>> from fractions import Fraction
    >>> to_document(SessionTranscript(10, Fraction(1, 20), rounds=(AnsweredRound(1, 1),)))["rounds"]
    [{'answer': 1, 'bits': 1}]
    """
    return {
        "schema": SCHEMA,
        "n": transcript.n,
        "delta": str(transcript.delta),
        "budget": transcript.budget,
        "bits": transcript.bits,
        "closed": transcript.closed,
        "tested": transcript.tested,
        "failed": transcript.failed,
        "rounds": [_round_form(round_) for round_ in transcript.rounds],
    }


def from_document(document: object, name: str = "document") -> SessionTranscript:
    """Return the transcript that :func:`to_document` wrote.

    Parameters
    ----------
    document
        What it returned, possibly after a passage through JSON.
    name
        What to call it in a message.

    Raises
    ------
    InvalidInput
        A field is missing, superfluous, of another kind or out of range.
    """
    wanted = ("schema", "n", "delta", "budget", "bits", "closed", "tested", "failed", "rounds")
    fields = _fields(document, wanted, name)
    if fields["schema"] != SCHEMA:
        raise InvalidInput(f"{name}: schema", described(fields["schema"]), repr(SCHEMA))
    n = as_size(_typed(fields["n"], int, f"{name}: n"), f"{name}: n", least=1)
    budget = fields["budget"]
    return SessionTranscript(
        n=n,
        delta=as_fraction(_typed(fields["delta"], str, f"{name}: delta"), f"{name}: delta"),
        budget=None if budget is None else _typed(budget, int, f"{name}: budget"),
        bits=_typed(fields["bits"], int, f"{name}: bits"),
        closed=_typed(fields["closed"], bool, f"{name}: closed"),
        tested=_typed(fields["tested"], bool, f"{name}: tested"),
        failed=_typed(fields["failed"], bool, f"{name}: failed"),
        rounds=tuple(
            _round(form, n, f"{name}: round {number}")
            for number, form in enumerate(
                _typed(fields["rounds"], list, f"{name}: rounds"), start=1
            )
        ),
    )


def save_transcript(transcript: SessionTranscript, path: str | PathLike[str]) -> None:
    """Write a transcript to a file, which appears whole or not at all.

    Parameters
    ----------
    transcript
        What is written.
    path
        The name of the file.

    Raises
    ------
    InvalidInput
        A point has no JSON form, or the file cannot be written; an existing one is left as it was.

    Notes
    -----
    The file has a field more than :func:`to_document`: ``check``, a digest of the others, so that
    damage is noticed. Who wants to change a session can compute it.
    """
    document = to_document(transcript)
    write_text(path, json.dumps({**document, "check": check_of(document)}, indent=1) + "\n")


def check_of(document: Mapping[str, object]) -> str:
    """Return the digest that a file has beside a document, as 64 hexadecimal digits."""
    plain = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def load_transcript(path: str | PathLike[str]) -> SessionTranscript:
    """Read a transcript from a file.

    Parameters
    ----------
    path
        The name of the file.

    Raises
    ------
    InvalidInput
        The file cannot be read, is no such document, or was changed by something else than
        :func:`save_transcript`. It is left as it is: what was told cannot be told from a damaged
        file, and to begin anew would forget it.
    """
    name = str(path)
    value = read_json(path, wanted="a transcript in JSON")
    if not isinstance(value, dict):
        return from_document(value, name)
    check = value.pop("check", None)
    transcript = from_document(value, name)
    if check != check_of(value):
        raise InvalidInput(f"{name}: check", "another digest", "a file that was not changed")
    return transcript


def _round_form(round_: Round) -> dict[str, object]:
    if isinstance(round_, AnsweredRound):
        return {"answer": round_.answer, "bits": round_.bits}
    if isinstance(round_, UnansweredRound):
        return {
            "unanswered": True,
            "size": round_.size,
            "bits": round_.bits,
            "selection": None if round_.selection is None else round_.selection.value,
            "filtered": round_.filtered,
        }
    return {
        "indices": list(round_.indices),
        "kept": round_.kept.to_dict(),
        "size": round_.size,
        "selection": round_.selection.value,
        "filtered": round_.filtered,
    }


def _round(form: object, n: int, name: str) -> Round:
    if isinstance(form, dict) and "answer" in form:
        fields = _fields(form, ("answer", "bits"), name)
        answer = as_size(_typed(fields["answer"], int, name), f"{name}: answer")
        bits = as_size(_typed(fields["bits"], int, name), f"{name}: bits", least=1)
        if answer >> bits:
            raise InvalidInput(f"{name}: answer", str(answer), f"an answer below 2**{bits}")
        return AnsweredRound(answer, bits)
    if isinstance(form, dict) and "unanswered" in form:
        return _unanswered(form, name)
    fields = _fields(form, ("indices", "kept", "size", "selection", "filtered"), name)
    indices = tuple(
        _typed(index, int, f"{name}: indices")
        for index in _typed(fields["indices"], list, f"{name}: indices")
    )
    kept = Sample.from_dict(fields["kept"])
    size = as_size(_typed(fields["size"], int, f"{name}: size"), f"{name}: size", least=1)
    filtered = _typed(fields["filtered"], bool, f"{name}: filtered")
    selection = _selection(fields["selection"], name)
    if any(not 0 <= index < n for index in indices):
        raise InvalidInput(f"{name}: indices", described(indices), f"indices below {n}")
    if len(kept) != len(indices):
        raise InvalidInput(f"{name}: kept", f"{len(kept)} examples", f"{len(indices)}")
    if len(indices) > size or (len(indices) < size and not filtered):
        raise InvalidInput(f"{name}: indices", f"{len(indices)} of them", f"{size}, the size")
    return KeptRound(indices, kept, size, selection, filtered)


def _unanswered(form: object, name: str) -> UnansweredRound:
    fields = _fields(form, ("unanswered", "size", "bits", "selection", "filtered"), name)
    size = as_size(_typed(fields["size"], int, f"{name}: size"), f"{name}: size")
    bits = as_size(_typed(fields["bits"], int, f"{name}: bits"), f"{name}: bits")
    filtered = _typed(fields["filtered"], bool, f"{name}: filtered")
    named = fields["selection"]
    selection = None if named is None else _selection(named, name)
    # A query takes bits and no examples; a scheme takes examples, and a bit for a filter.
    sound = (bits and not size and not filtered) if named is None else size and bits == filtered
    if fields["unanswered"] is not True or not sound:
        given = f"size {size}, bits {bits}, selection {described(named)}, filtered {filtered}"
        raise InvalidInput(f"{name}: unanswered", given, "the charge of a round")
    return UnansweredRound(size, bits, selection, filtered)


def _selection(value: object, name: str) -> Selection:
    try:
        return Selection(value)
    except ValueError:
        wanted = ", ".join(repr(kind.value) for kind in Selection)
        raise InvalidInput(f"{name}: selection", described(value), wanted) from None


def _fields(value: object, wanted: tuple[str, ...], name: str) -> Mapping[str, object]:
    if not isinstance(value, dict) or set(value) != set(wanted):
        given = described(sorted(map(str, value)) if isinstance(value, dict) else value)
        raise InvalidInput(name, given, "an object with the keys " + ", ".join(wanted))
    return value


def _typed(value: object, kind: type[T], name: str) -> T:
    # JSON's true is an int to Python, and no count.
    if type(value) is not kind:
        raise InvalidInput(name, described(value), f"a JSON value of type {kind.__name__}")
    return value
