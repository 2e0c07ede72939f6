"""One whole mistake-bound game."""

from __future__ import annotations

from pac_stability.arguments import as_label, as_size
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.dimensions import version_spaces
from pac_stability.errors import InvalidInput
from pac_stability.online.players import Adversary, OnlineLearner
from pac_stability.online.transcript import Round, Transcript


def play(
    H: FiniteClass | ImplicitClass,
    learner: OnlineLearner,
    adversary: Adversary,
    rounds: int | None = None,
) -> Transcript:
    """Play the mistake-bound game until the adversary stops or the rounds are over.

    Parameters
    ----------
    H
        The class that the game is about; it names the columns of the transcript.
    learner
        Predicts, then learns the label.
    adversary
        Chooses the point, then the label.
    rounds
        The largest number of rounds.  By default as many as there are hypotheses: when every round
        is a mistake, a learner that always predicts with some hypothesis of the version space has
        fewer.

    Returns
    -------
    Transcript
        The rounds played, ready to be checked or saved.

    Raises
    ------
    InvalidInput
        A prediction or label other than 0 and 1, a point outside the domain of ``H``, or a
        negative number of rounds.

    Notes
    -----
    Source: the game of N. Littlestone, *Learning quickly when irrelevant attributes abound*, 1988;
    BLM20, Section II.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.online import GreedyAdversary, StandardOptimalAlgorithm, play
    >>> H = FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> play(H, StandardOptimalAlgorithm(H), GreedyAdversary(H)).mistakes
    2
    """
    spaces = version_spaces(H)
    limit = spaces.size(spaces.whole) if rounds is None else as_size(rounds, "rounds")
    name = type(learner).__name__
    played: list[Round] = []
    while len(played) < limit:
        point = adversary.point(learner)
        if point is None:
            break
        column = spaces.column(point)
        prediction = learner.predict(point)
        if prediction not in (0, 1):
            raise InvalidInput(f"prediction of {name}", repr(prediction), "a label, 0 or 1")
        label = as_label(adversary.label(prediction), f"label of {type(adversary).__name__}")
        learner.update(point, label)
        played.append(Round(column, int(prediction), label))
    return Transcript.of(H, name, played)
