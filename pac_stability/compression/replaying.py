"""A session without its sample: the proof of CLNRW16, Theorem 19, as a program."""

from __future__ import annotations

from dataclasses import replace

from pac_stability.arguments import described
from pac_stability.classes import Hypothesis
from pac_stability.compression.questions import Analyst, Answer, Query, Task
from pac_stability.compression.transcript import (
    AnsweredRound,
    Round,
    SessionTranscript,
    UnansweredRound,
)
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.weights import as_function


def replay(
    transcript: SessionTranscript, analyst: Analyst
) -> tuple[Answer[Hypothesis | int | None], ...]:
    """Return all answers of a session, rebuilt from the kept examples, without the sample.

    Parameters
    ----------
    transcript
        Of the session.
    analyst
        The analyst of the session, with the same coins if it tosses any. Where the session was
        asked by hand, an analyst that asks the same.

    Returns
    -------
    tuple of Answer
        Equal to those of the session.

    Raises
    ------
    InvalidInput
        The analyst asks something else than what the transcript answers.

    Notes
    -----
    This is the proof of CLNRW16, Theorem 19, as a program.
    """
    if not isinstance(transcript, SessionTranscript):
        raise InvalidInput("transcript", described(transcript), "a SessionTranscript")
    as_function(analyst, "analyst")
    answers: tuple[Answer[Hypothesis | int | None], ...] = ()
    so_far = replace(transcript, rounds=(), closed=False, tested=False, failed=False)
    for number, round_ in enumerate(transcript.rounds, start=1):
        asked = analyst(answers)
        if not _answers(round_, asked, transcript.n):
            given = f"another question than that of round {number}"
            raise InvalidInput("analyst", given, "the analyst of the transcript")
        so_far = so_far.with_round(round_)
        if isinstance(round_, UnansweredRound):
            continue  # asked again, by an analyst who knows no more than before
        output: Hypothesis | int | None
        if isinstance(round_, AnsweredRound):
            output = round_.answer
        else:
            assert isinstance(asked, Task)  # noqa: S101  # it was just compared
            output = asked.rebuild(round_.kept)
        answers = (*answers, Answer(output, round_, so_far.bound()))
    return answers


def _answers(round_: Round, asked: object, n: int) -> bool:
    """Whether a round can be the answer to a question."""
    if isinstance(round_, AnsweredRound):
        return isinstance(asked, Query) and asked.bits == round_.bits
    if isinstance(round_, UnansweredRound) and round_.selection is None:
        return isinstance(asked, Query) and asked.bits == round_.bits
    return (
        isinstance(asked, Task)
        and asked.charge(n) == round_.size
        and asked.scheme.selection is round_.selection
        and (asked.where is not None) == round_.filtered
        and (
            isinstance(round_, UnansweredRound)
            or all(asked.where is None or asked.where(example) for example in round_.kept)
        )
    )
