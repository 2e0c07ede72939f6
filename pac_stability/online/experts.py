"""Agnostic online prediction: Hedge over experts that run SOA and sometimes flip it."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from fractions import Fraction

from pac_stability.arguments import as_label, as_open_unit, as_size
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_inhabited
from pac_stability.errors import InvalidInput
from pac_stability.online.regret import RegretBound, expert_count
from pac_stability.online.soa import StandardOptimalAlgorithm
from pac_stability.randomness import SYSTEM_COINS, Coins


class FlippingExpert:
    """One expert: SOA that flips its own prediction at chosen rounds and believes what it says.

    It never looks at the labels: after each round it updates SOA with its own prediction, unless
    a flip would leave no hypothesis, when it keeps the version space.  For every h of the class
    and every sequence of points, the expert that flips at the (at most Ldim) rounds where SOA
    would err on h predicts exactly as h does.

    Parameters
    ----------
    H
        The class, not empty.
    flips
        Rounds, counted from 0, at which the prediction is flipped (the set I).
    tie
        Tie rule of SOA.

    Notes
    -----
    Source: S. Ben-David, D. Pal and S. Shalev-Shwartz, *Agnostic online learning*, 2009.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> expert = FlippingExpert(FiniteClass([[0, 0], [0, 1], [1, 1]]), flips={1})
    >>> [expert.step(point) for point in (0, 1, 1)]
    [0, 0, 0]
    """

    def __init__(self, H: FiniteClass, flips: Collection[int], tie: int = 1) -> None:
        require_inhabited(H)
        self._soa = StandardOptimalAlgorithm(H, tie)
        self._flips = frozenset(flips)
        self._round = 0

    def step(self, point: Hashable) -> int:
        """Predict the label of ``point`` and go on to the next round."""
        label = self._soa.predict(point)
        if self._round in self._flips:
            label = 1 - label
        self._soa = _moved(self._soa, point, label)
        self._round += 1
        return label


def _moved(soa: StandardOptimalAlgorithm, point: Hashable, label: int) -> StandardOptimalAlgorithm:
    """Return ``soa`` after an example, or ``soa`` itself when no hypothesis would be left."""
    moved = soa.copy()
    moved.update(point, label)
    return moved if moved.realizable else soa


class AgnosticPredictor:
    """Randomised prediction whose expected mistakes exceed the best hypothesis' only a little.

    Hedge over all experts :class:`FlippingExpert` with at most ``flips`` flips within ``horizon``
    rounds; an expert with m mistakes weighs beta^m.  Nothing is assumed about the labels.
    Experts whose version space and number of flips so far agree predict alike for ever and are
    kept as one, with the number of ways their flips can go on; the probabilities are exactly
    those of Hedge over all of them.

    Parameters
    ----------
    H
        The class, not empty.
    horizon
        Number of rounds T.
    flips
        Largest number of flips d; by default the Littlestone dimension of ``H``, which the regret
        bound against ``H`` needs.
    beta
        e^-eta for learning rate eta, a rational in (0, 1); by default a rational close to the
        best one.
    tie
        Tie rule of SOA.

    Raises
    ------
    InvalidInput
        An argument is not as described.

    Notes
    -----
    A round costs two SOA steps for each group of experts, and at most sum_{i <= d} C(t, i) groups
    exist after t rounds (far fewer when the version spaces meet).  Weights are integers over a
    common denominator.  Source: Ben-David, Pal and Shalev-Shwartz, 2009; the Hedge algorithm is
    that of Y. Freund and R. E. Schapire, 1997.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> predictor = AgnosticPredictor(
    ...     FiniteClass([[0], [1]]), horizon=3, beta=Fraction(1, 2)
    ... )
    >>> predictor.experts, predictor.probability(0)
    (4, Fraction(3, 4))
    >>> predictor.update(0, 0)
    >>> predictor.probability(0), predictor.expected_mistakes
    (Fraction(2, 5), Fraction(3, 4))
    """

    def __init__(
        self,
        H: FiniteClass,
        horizon: int,
        *,
        flips: int | None = None,
        beta: Fraction | None = None,
        tie: int = 1,
    ) -> None:
        require_inhabited(H)
        soa = StandardOptimalAlgorithm(H, as_label(tie, "tie"))
        self._horizon = as_size(horizon, "horizon")
        self._flips = soa.dimension if flips is None else as_size(flips, "flips")
        self._experts = expert_count(self._horizon, self._flips)
        if beta is None:
            self._beta = RegretBound.tuned(self._horizon, self._experts).beta
        else:
            self._beta = as_open_unit(beta, "beta")
        self._round = 0
        self._expected_mistakes = Fraction(0)
        # (version space, flips used) -> (SOA there, summed weight of the ways to get there).
        self._groups: dict[tuple[tuple[int, ...], int], tuple[StandardOptimalAlgorithm, int]] = {
            (soa.version_space, 0): (soa, 1)
        }

    @property
    def experts(self) -> int:
        """Number of experts, the sum of C(T, i) over i <= d."""
        return self._experts

    @property
    def groups(self) -> int:
        """Number of groups of experts now kept."""
        return len(self._groups)

    @property
    def beta(self) -> Fraction:
        """What a mistake multiplies an expert's weight by."""
        return self._beta

    @property
    def expected_mistakes(self) -> Fraction:
        """Exact expected number of mistakes so far, given the points and labels."""
        return self._expected_mistakes

    @property
    def regret_bound(self) -> RegretBound:
        """What the expected mistakes exceed those of the best expert by, at most."""
        return RegretBound(self._horizon, self._experts, self._beta)

    def _ways(self, used: int) -> int:
        """Count the sets of at most d - ``used`` later rounds at which an expert may still flip."""
        return expert_count(self._horizon - self._round - 1, self._flips - used)

    def probability(self, point: Hashable) -> Fraction:
        """Return the exact probability with which the next prediction at ``point`` is 1.

        Raises
        ------
        InvalidInput
            ``point`` is not in the domain, or the horizon is reached.
        """
        if self._round == self._horizon:
            raise InvalidInput("horizon", f"round {self._round + 1}", f"{self._horizon} rounds")
        by_label = [0, 0]
        for (_, used), (soa, weight) in self._groups.items():
            label = soa.predict(point)
            by_label[label] += weight * self._ways(used)
            by_label[1 - label] += weight * self._ways(used + 1)
        return Fraction(by_label[1], sum(by_label))

    def predict(self, point: Hashable, rng: Coins = SYSTEM_COINS) -> int:
        """Draw a prediction, 1 with :meth:`probability`."""
        return rng.bernoulli(self.probability(point))

    def update(self, point: Hashable, label: int) -> None:
        """Take in the true label of ``point``.

        Raises
        ------
        InvalidInput
            ``label`` is not 0 or 1, ``point`` not in the domain, or the horizon is reached.
        """
        label = as_label(label, "label")
        one = self.probability(point)
        self._expected_mistakes += 1 - one if label else one
        right, wrong = self._beta.denominator, self._beta.numerator
        groups: dict[tuple[tuple[int, ...], int], tuple[StandardOptimalAlgorithm, int]] = {}
        for (_, used), (soa, weight) in self._groups.items():
            kept = soa.predict(point)
            for flip in range(2 if used < self._flips else 1):
                says = 1 - kept if flip else kept
                moved = _moved(soa, point, says)
                key = moved.version_space, used + flip
                share = weight * (right if says == label else wrong)
                groups[key] = moved, share + groups[key][1] if key in groups else share
        self._groups = groups
        self._round += 1
