"""What an adaptive session says: its rounds, and what is left of its budget."""

from __future__ import annotations

from pac_stability._report import Face, aligned, html_table, latex_table
from pac_stability.compression.bounds import DeviationBound
from pac_stability.compression.session import AdaptiveSession
from pac_stability.compression.transcript import KeptRound, Round, SessionTranscript

_HEAD = ("round", "what was told", "examples", "bits")


def bound_face(bound: DeviationBound) -> Face:
    """Return a bound in a line, and as a table."""
    value, chosen = f"{float(bound.value()):.4g}", bound.chosen
    rows = [("epsilon", bound.formula), ("value", value), *chosen.items()]
    at = ", ".join(f"{name} = {told}" for name, told in chosen.items())
    return Face(
        lambda: f"{bound.formula} = {value} at {at}",
        html=lambda: html_table(rows),
        latex=lambda: latex_table(rows, ("parameter", "value")),
    )


def session_face(session: AdaptiveSession) -> Face:
    """Return what a session has told so far."""
    return transcript_face(session.transcript)


def transcript_face(transcript: SessionTranscript) -> Face:
    """Return the rounds of a session."""
    rows = [
        (str(number), _told(played), str(played.size), str(played.bits))
        for number, played in enumerate(transcript.rounds, start=1)
    ]
    left = "" if transcript.budget is None else f" of {transcript.budget}"
    bits = f" and {transcript.used_bits} of {transcript.bits} bits" if transcript.bits else ""
    state = "closed" if transcript.closed else "open"
    head = (
        f"an adaptive session on {transcript.n:,} examples, {state}: "
        f"{transcript.used}{left} examples{bits} were told"
    )
    return Face(
        lambda: f"{head}\n" + (f"\n{aligned([_HEAD, *rows])}" if rows else ""),
        html=lambda: f"<p>{head}</p>\n{html_table(rows, _HEAD)}",
    )


def _told(played: Round) -> str:
    if isinstance(played, KeptRound):
        kept = ", ".join(f"({z.point!r}, {z.label})" for z in played.kept)
        return f"kept {kept}" if kept else "kept nothing"
    answer = getattr(played, "answer", None)
    return "no answer" if answer is None else f"answered {answer}"
