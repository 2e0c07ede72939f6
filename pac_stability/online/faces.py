"""What the transcript of a game says."""

from __future__ import annotations

from pac_stability._report import Face, aligned, html_table, latex_table
from pac_stability.online.transcript import Transcript

_HEAD = ("round", "point", "prediction", "label", "")


def transcript_face(transcript: Transcript) -> Face:
    """Return a game round by round, and its sum."""
    rows = [
        (
            str(number),
            transcript.point_name(played.point),
            str(played.prediction),
            str(played.label),
            "right" if played.prediction == played.label else "a mistake",
        )
        for number, played in enumerate(transcript.rounds, start=1)
    ]
    count = len(transcript.rounds)
    total = (
        f"{transcript.learner}: {transcript.mistakes} mistake{'s' * (transcript.mistakes != 1)} in "
        f"{count} round{'s' * (count != 1)}"
        f"{'' if transcript.realizable else '; no hypothesis agrees with every label'}\n"
    )
    return Face(
        lambda: total + (f"\n{aligned([_HEAD, *rows])}" if rows else ""),
        html=lambda: f"<p>{total.strip()}</p>\n{html_table(rows, _HEAD)}",
        latex=lambda: latex_table(rows, _HEAD),
    )
