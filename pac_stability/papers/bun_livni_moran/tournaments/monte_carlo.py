"""Tournaments with a budget: they fail rather than draw more than N examples."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from pac_stability.arguments import as_size, require_instance
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import InvalidInput
from pac_stability.learning import Mask
from pac_stability.mechanisms import occurrences, successes
from pac_stability.papers.bun_livni_moran.tournaments.distribution import (
    DrawsExhausted,
    RecursiveDraw,
    TournamentDistribution,
)
from pac_stability.papers.bun_livni_moran.tournaments.draw_counts import DrawCounts
from pac_stability.papers.bun_livni_moran.tournaments.law import MAX_STATES
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick
from pac_stability.papers.bun_livni_moran.tournaments.record import TournamentRecord
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True)
class MonteCarloTournament:
    """The Monte-Carlo variant of D_k, with a budget of N draws, on a finite target.

    Samples are made as for :class:`TournamentDistribution`, whether D_k is defined or not, and the
    result is "Fail" as soon as more than N examples would be drawn from the target, those of
    samples that are thrown away included [BLM20, Section IV-C]. "Fail" is ``None`` here.

    Parameters
    ----------
    H
        The class, not empty.
    target
        D, a distribution of examples over the domain of H that some hypothesis fits without loss.
    k
        The number of tournaments.
    n
        Examples that each player draws; at least 1 if k is.
    budget
        N. Without a tie, k tournaments take ``2 (2**k - 1) n`` draws; at least so many.
    pick
        How the point of step (iv) is chosen, see ``Pick``.
    tie
        The label that the SOA predicts at a tie.
    max_states
        Refuse laws on more states than this.
    fresh
        Whether an output is SOA(S o T) with T ~ D^n, or SOA(S).

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the budget is one with which all runs fail.
    NotRealizable
        No hypothesis fits the target.
    BudgetExhausted
        From the methods: the exact law has more than ``max_states`` states.

    Notes
    -----
    *The number of draws is independent of the sample.* For D_0 it is 0. If it is independent for
    D_{k-1}, then what a round costs is independent of the players' samples, hence of whether the
    round is decided, of the sample that is kept, and of the other rounds. So the joint law of the
    state of the SOA and the number of draws is a product: that of D_k without a budget
    (:class:`TournamentDistribution`, where the threshold plays no part) times that of the draws
    (:class:`DrawCounts`). Failing leaves the law of the sample as it is:
    ``Pr[SOA(S o T) = f and not Fail] = Pr[SOA(S o T) = f] Pr[M_k <= N]``.

    At a level where all players have the same predictor no round is ever decided. Then every run
    with more tournaments fails, whatever the budget.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> H = thresholds(4)
    >>> target = FiniteDistribution.uniform([Example(x, H(2, x)) for x in range(4)])
    >>> D = MonteCarloTournament(H, target, k=1, n=1, budget=6)
    >>> D.fail_probability, D.law_of_draws()
    (Fraction(27, 512), FiniteDistribution({2: 5/8, 4: 15/64, 6: 45/512, None: 27/512}))
    >>> D.law_of_output().probability(0b1110)
    Fraction(97, 512)
    """

    H: FiniteClass | ImplicitClass
    target: FiniteDistribution[Example[Hashable]]
    k: int
    n: int
    budget: int
    pick: Pick
    tie: int
    max_states: int
    fresh: bool
    _unlimited: TournamentDistribution = field(repr=False, compare=False)

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        target: FiniteDistribution[Example[Hashable]],
        k: int,
        n: int,
        budget: int,
        *,
        pick: Pick = "lowest",
        tie: int = 1,
        max_states: int = MAX_STATES,
        fresh: bool = True,
    ) -> None:
        require_instance(fresh, bool, "fresh")
        # With threshold 1, a level is defined unless the rounds of the one below it never end.
        unlimited = TournamentDistribution(
            H, target, k, n, pick=pick, tie=tie, threshold=1, max_states=max_states
        )
        for name, value in (
            ("H", H),
            ("target", target),
            ("k", unlimited.k),
            ("n", unlimited.n),
            ("budget", as_size(budget, "budget")),
            ("pick", unlimited.pick),
            ("tie", unlimited.tie),
            ("max_states", unlimited.max_states),
            ("fresh", fresh),
            ("_unlimited", unlimited),
        ):
            object.__setattr__(self, name, value)
        self._require_chance()

    def _require_chance(self) -> None:
        """Refuse budgets with which all runs fail."""
        if self.k and not self.n:
            raise InvalidInput(
                "n", "0", "at least 1: players without examples have the same predictor"
            )
        least = 2 * (2**self.k - 1) * self.n
        if self.budget < least:
            raise InvalidInput(
                "budget",
                str(self.budget),
                f"at least {least}: {self.k} tournaments between players of {self.n} examples "
                "draw so many without a tie, and every run would fail",
            )

    def at(self, k: int) -> MonteCarloTournament:
        """Return the variant for another number of tournaments, with what is known of the laws.

        Parameters
        ----------
        k
            The number of tournaments.
        """
        other = copy.copy(self)
        object.__setattr__(other, "k", as_size(k, "k"))
        other._require_chance()
        return other

    @property
    def _blocks(self) -> int:
        return self.budget // self.n if self.n else 0

    @property
    def _counts(self) -> DrawCounts | None:
        """The law of the number of blocks; ``None`` when no run ends."""
        collisions = []
        for level in range(self.k):
            collisions.append(self._unlimited.at(level).collision)
            if collisions[-1] == 1:
                return None
        return DrawCounts(collisions)

    @property
    def fail_probability(self) -> Fraction:
        """Pr[M_k > N], exactly.

        ``BudgetExhausted`` is raised when this has too many digits, about the budget in blocks
        times those of the law; see :meth:`enclosed_fail_probability`.
        """
        counts = self._counts
        return Fraction(1) if counts is None else 1 - counts.within(self._blocks)

    def enclosed_fail_probability(self, bits: int = 128) -> Interval:
        """Enclose Pr[M_k > N], for budgets of any size.

        Parameters
        ----------
        bits
            The width is at most ``2**-bits``.
        """
        counts = self._counts
        if counts is None:
            return Interval.exactly(1)
        return 1 - counts.enclosed_within(self._blocks, bits)

    def law_of_draws(self) -> FiniteDistribution[int | None]:
        """Return the exact law of M_k, the number of draws, with ``None`` for "Fail".

        Notes
        -----
        For small budgets: all numbers of draws within the budget are listed.
        """
        counts = self._counts
        if counts is None:
            return FiniteDistribution.point_mass(None)
        law: dict[int | None, Fraction] = {}
        within = Fraction(0)
        for blocks in range(counts.least, self._blocks + 1, 2):
            before, within = within, counts.within(blocks)
            law[blocks * self.n] = within - before
        law[None] = 1 - within
        return FiniteDistribution(law)

    def law_of_state_and_draws(self) -> FiniteDistribution[tuple[int, int] | None]:
        """Return the exact joint law of the state of the SOA after S, and of the number of draws.

        Returns
        -------
        FiniteDistribution
            On pairs, with ``None`` for "Fail". States are those of :class:`SoaStates`.

        Notes
        -----
        As for :meth:`law_of_draws`.
        """
        draws = self.law_of_draws()
        if draws.support == (None,):
            return FiniteDistribution.point_mass(None)
        return draws.product(self._unlimited.at(self.k).law_of_state()).map(
            lambda pair: None if pair[0] is None else (pair[1], pair[0])
        )

    def _law_of_finished(self) -> FiniteDistribution[Mask]:
        """Return the law of the output of a run that does not fail."""
        D = self._unlimited.at(self.k)
        return D.law_of_output() if self.fresh else D.law_of_predictor()

    def law_of_output(self) -> FiniteDistribution[Mask | None]:
        """Return the exact law of the output, and ``None`` for "Fail".

        Returns
        -------
        FiniteDistribution
            On predictors f, which are functions, and integers whose bit ``x`` is f(x) for the point
            of column ``x``. For their probabilities see :attr:`fail_probability`.
        """
        fail = self.fail_probability
        if fail == 1:
            return FiniteDistribution.point_mass(None)
        law = self._law_of_finished()
        finished = fail.denominator - fail.numerator
        weights: dict[Mask | None, int] = {f: w * finished for f, w in law.numerators.items()}
        if fail:
            weights[None] = fail.numerator * law.denominator
        return reduced_law(weights)

    def enclosed_law_of_output(self, bits: int = 128) -> EnclosedDistribution[Mask | None]:
        """Enclose the law of the output, for budgets of any size.

        Parameters
        ----------
        bits
            The enclosures of the probabilities have width at most ``2**-bits``.
        """
        fail = self.enclosed_fail_probability(bits)
        weights: dict[Mask | None, Interval | Fraction] = {None: fail}
        if fail.lower < 1:
            law = self._law_of_finished()
            weights |= {f: (1 - fail) * p for f, p in law.items()}
        return EnclosedDistribution(weights)

    def occurrences(self, runs: int, rng: Coins = SYSTEM_COINS) -> Counter[int | None]:
        """Draw how often each output occurs among independent runs, without making them.

        Parameters
        ----------
        runs
            How many runs.
        rng
            Where the coins come from; the operating system's entropy by default.

        Returns
        -------
        Counter
            On predictors f, as integers whose bit ``x`` is f(x) for the point of column ``x``, and
            ``None`` for "Fail". They sum to ``runs``.

        Notes
        -----
        Exact: how many runs do not fail, then what they give, as the one is independent of the
        other. What it takes is the law of the output, and hardly depends on the number of runs.

        Examples
        --------
        >>> from pac_stability.classes import thresholds
        >>> from pac_stability.randomness import SeededCoins
        >>> H = thresholds(4)
        >>> target = FiniteDistribution.uniform([Example(x, H(2, x)) for x in range(4)])
        >>> D = MonteCarloTournament(H, target, k=1, n=1, budget=6)
        >>> found = D.occurrences(512 * 10**15, SeededCoins(1))
        >>> round(found[None] / 10**15, 4), round(found[0b1110] / 10**15, 4)
        (27.0, 97.0)
        """
        size, counts = as_size(runs, "runs"), self._counts
        if counts is None:
            return Counter({None: size})

        def finishing(bits: int) -> tuple[int, int]:
            return counts.enclosed_within(self._blocks, bits).in_units(bits)

        finished = successes(finishing, size, rng) if self.k else size
        found: Counter[int | None] = Counter({None: size - finished} if size > finished else {})
        if finished:
            outputs = self._law_of_finished().numerators
            often = occurrences(tuple(outputs.values()), finished, rng)
            found.update({f: count for f, count in zip(outputs, often, strict=True) if count})
        return found

    def run(self, rng: Coins = SYSTEM_COINS) -> TournamentRecord | None:
        """Make a sample by the recursion that defines it.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.

        Returns
        -------
        TournamentRecord or None
            The sample, how it came about, and all draws that it took; ``None`` for "Fail".

        Notes
        -----
        Time and memory linear in the budget.
        """
        try:
            return RecursiveDraw(self._unlimited, rng, self.budget).record(self.k)[0]
        except DrawsExhausted:
            return None
