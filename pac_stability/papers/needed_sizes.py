"""The sample size of every learner of the papers, and of every baseline, on one class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_number
from pac_stability.arithmetic import EpsilonLike
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import vc_dimension
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran import ByLevelPrivateLearner, agnostic_promise
from pac_stability.papers.dagan_feldman import sample_complexity as sizes


@dataclass(frozen=True, slots=True, repr=False)
class NeededSize(Tabled):
    """A number of examples, and its promise.

    Attributes
    ----------
    learner : str
        The learner, or the source of the bound.
    promise : str
        Its promise beside accuracy.
    setting : str
        ``"realizable"`` if some hypothesis fits, else ``"agnostic"``.
    sample_size : int
        The number of examples that suffices; for a lower bound, fewer do not.
    is_lower_bound : bool
        Whether it is a lower bound, for every learner with this promise.
    delta : Fraction, optional
        The delta that it spends, if any.
    """

    learner: str
    promise: str
    setting: str
    sample_size: int
    is_lower_bound: bool = False
    delta: Fraction | None = None

    @property
    def exposed(self) -> Fraction:
        """``n delta``: the mean number of examples that this delta allows to publish."""
        return (self.delta or Fraction(0)) * self.sample_size


def sizes_of_class(
    H: FiniteClass,
    alpha: AnyNumber,
    beta: AnyNumber,
    *,
    epsilon: EpsilonLike | None = None,
    gamma: AnyNumber | None = None,
    delta: AnyNumber | None = None,
    vc: int | None = None,
) -> tuple[NeededSize, ...]:
    """Return the sample sizes of the papers' learners and baselines on a class, and lower bounds.

    Parameters
    ----------
    H
        A class of VC dimension at least 1.
    alpha, beta
        With probability at least 1 - beta the excess loss is at most alpha: exact numbers above 0
        and below 1.
    epsilon
        The privacy of each prediction, or of the output; ``None`` leaves these learners out.
    gamma
        The uniform stability; ``None`` leaves these learners out.
    delta
        For BLM20's learner M, realizable and agnostic, which also needs ``epsilon``; ``None``
        leaves them out.
    vc
        The VC dimension, or an upper bound; by default it is computed.

    Returns
    -------
    tuple
        One entry a learner, those of one promise together. Sizes are sharp: the best constants that
        are proved here.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or there is only one hypothesis.

    Notes
    -----
    A lower bound is omitted if it is proved only for smaller alpha. For M it computes the
    Littlestone dimension, which is exponential in the worst case.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> for row in sizes_of_class(thresholds(7), "1/10", "1/20", gamma="1/10"):
    ...     print(row.learner, row.sample_size)
    empirical risk minimizer 1154
    any learner, at least 40
    DF20 Theorem 1 1933
    averages over disjoint blocks 8060
    averages over random subsets 8060
    any learner, at least 11
    """
    d = vc_dimension(H) if vc is None else vc
    if d < 1:
        raise InvalidInput("H", f"VC dimension {d}", "at least 1: one hypothesis needs no example")
    half = as_number(alpha, "alpha") / 2
    erm = sizes.uniform_convergence_size(half, beta, d, class_size=len(H)).sample_size
    rows = [
        NeededSize("empirical risk minimizer", "accuracy", "agnostic", erm),
        *_at_least("accuracy", "agnostic", lambda: sizes.agnostic_lower_bound(alpha, beta, d)),
    ]
    if gamma is not None:
        ask = sizes.Ask(alpha, beta, vc_dimension=d, gamma=gamma, class_size=len(H))
        rows += _learners(_STABLE, ask, "stable predictions")
        rows += _at_least(
            "stable predictions",
            "realizable",
            lambda: sizes.stable_lower_bound(alpha, gamma, d, beta=beta),
        )
    if epsilon is not None:
        ask = sizes.Ask(alpha, beta, vc_dimension=d, epsilon=epsilon, class_size=len(H))
        rows += _learners(_PRIVATE, ask, "private predictions")
        fits = sizes.realizable_private_size(alpha, beta, epsilon, d, class_size=len(H))
        rows.append(
            NeededSize("DF20 Corollary 2", "private predictions", "realizable", fits.sample_size)
        )
        rows += _at_least(
            "private predictions",
            "realizable",
            lambda: sizes.private_lower_bound(alpha, epsilon, d, beta=beta),
        )
        chosen = sizes.answer("exponential", ask).sample_size
        rows.append(NeededSize("exponential mechanism", "private output", "agnostic", chosen))
        if delta is not None:
            M = ByLevelPrivateLearner.of_class(H, alpha, beta, epsilon, delta).sample_size
            promise = agnostic_promise(H, alpha, beta, epsilon, delta)
            rows += (
                NeededSize(name, "private output", setting, size, delta=promise.delta)
                for name, setting, size in (
                    ("BLM20 Theorem 1 (M)", "realizable", M),
                    ("BLM20 Corollary 2 (over M)", "agnostic", promise.sample_size),
                )
            )
    return tuple(rows)


_STABLE = {
    "theorem-1": "DF20 Theorem 1",
    "disjoint-average": "averages over disjoint blocks",
    "subset-average": "averages over random subsets",
}
_PRIVATE = {
    "corollary-2": "DF20 Corollary 2",
    "theorem-3": "DF20 Theorem 3",
    "aggregation": "votes of disjoint blocks",
}


def _learners(names: Mapping[str, str], ask: sizes.Ask, promise: str) -> Iterator[NeededSize]:
    for name, words in names.items():
        yield NeededSize(words, promise, "agnostic", sizes.answer(name, ask).sample_size)


def _at_least(promise: str, setting: str, bound: Callable[[], int]) -> Iterator[NeededSize]:
    # It is proved for small alpha and beta only.
    with suppress(InvalidInput):
        yield NeededSize("any learner, at least", promise, setting, bound(), is_lower_bound=True)
