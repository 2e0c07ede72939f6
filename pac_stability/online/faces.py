"""What the transcript of a game says."""

from __future__ import annotations

from html import escape

from pac_stability._report import Face, aligned, html_table, latex_table
from pac_stability.classes import ImplicitClass
from pac_stability.errors import printable
from pac_stability.online.transcript import PlayedGame, Transcript

_HEAD = ("round", "point", "prediction", "label", "")


def game_face(game: PlayedGame) -> Face:
    """Return how a game ended; as HTML and LaTeX with its rounds."""
    H, played, row = game.H, game.transcript.report(), game.agreeing
    count, mistakes = len(game.transcript.rounds), game.transcript.mistakes
    told = (
        f"{mistakes:,} mistake{'s' * (mistakes != 1)} in {count:,} round{'s' * (count != 1)}; "
        f"Littlestone dimension {game.dimension}. "
    )
    if row is None:
        told += "No hypothesis agrees with every label"
    else:
        if isinstance(H, ImplicitClass):
            name, labels = "A hypothesis", H.shown(row)
        else:
            name, labels = f"Hypothesis {printable(H.name(row))}", "".join(map(str, H.table[row]))
            labels = labels if len(labels) <= 60 else f"{labels[:57]}..."
        told += f"{name} agrees with every label: {labels}"
    rounds = played.text if played.html is None else played.html
    return Face(
        lambda: f"{told}\n",
        html=lambda: f"{rounds()}\n<p>{escape(told)}</p>",
        latex=played.latex,
    )


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
