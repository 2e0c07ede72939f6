"""The distributions D_k: samples that have won k tournaments, exactly and by sampling."""

from __future__ import annotations

import copy
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from pac_stability.arguments import (
    AnyNumber,
    as_probability,
    as_size,
    described,
    in_words,
)
from pac_stability.classes import FiniteClass, ImplicitClass, Row, VersionSpaces
from pac_stability.classes.bits import as_mask
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.learning import Mask
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran.tournaments.compiled_law import (
    MAX_MEMORY,
    CompiledLevel,
    tournament_law,
)
from pac_stability.papers.bun_livni_moran.tournaments.law import (
    ListedLevel,
    TournamentLaw,
    TournamentLevel,
    output_weights,
)
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick, PickRule, as_pick_rule
from pac_stability.papers.bun_livni_moran.tournaments.record import (
    Match,
    Player,
    TournamentRecord,
)
from pac_stability.papers.bun_livni_moran.tournaments.target import (
    RealizableTarget,
    require_realizable,
)
from pac_stability.randomness import SYSTEM_COINS, Coins

MAX_DRAWS = 1_000_000


@dataclass(frozen=True)
class TournamentDistribution:
    """The distribution D_k of samples that have won k tournaments, on a finite target.

    D_0 is the empty sample. For D_k, two players draw samples S_0, S_1 from D_{k-1} and T_0, T_1
    from D^n, until the predictors f_b = SOA(S_b o T_b) differ; a point x where they do is picked
    and a fair coin y is flipped; S_b o T_b o (x, y) is kept for the b with f_b(x) != y. D_k is
    undefined when D_{k-1} is, or when one f has Pr[SOA(S o T) = f] >= threshold for S ~ D_{k-1} and
    T ~ D^n [BLM20, Section IV-B].

    Parameters
    ----------
    H
        The class, not empty; d below is its Littlestone dimension.
    target
        D, a distribution of examples over the domain of H that some hypothesis fits without loss.
    k
        The number of tournaments.
    n
        Examples that each player draws from the target. With n = 0 all players agree, so that
        only D_0 is defined.
    pick
        How the point of step (iv) is chosen: ``"lowest"`` or ``"highest"`` column, the first of
        all points in a given order, or a function of the two predictors as masks (see ``Pick``).
    tie
        The label that the SOA predicts at a tie.
    threshold
        The frequency, above 0 and at most 1, from which on the next level is undefined; 2^-d by
        default, as printed.
    concept
        Row of the hypothesis of loss zero that ``all_labels_agree`` speaks of; by default the
        first. Outside the support of the target such hypotheses may differ. Where there is no
        table, its labelling.
    max_states
        Refuse laws on more states than this; by default more than 300,000 that are kept as Python
        objects, and as many in the compiled core as ``max_memory`` holds.
    max_memory
        Bytes that the core may take for the law of one level.

    Raises
    ------
    InvalidInput
        A parameter is out of range. Also from the methods that need D_k, when it is undefined.
    NotRealizable
        No hypothesis fits the target.
    BudgetExhausted
        From the methods: the exact law has more than ``max_states`` states, or needs more than
        ``max_memory``.

    Notes
    -----
    The law of SOA(S o T) is found exactly: it depends on S through the state of the SOA after S
    only, and the law over states is carried from level to level in integers, in
    ``O(n |states| |support| + |states| |X|)`` operations a level (``O(|outputs|^2)`` more when
    ``pick`` is a function). On tables, and where points are preferred in a fixed order, nearly all
    of it is compiled. Levels are computed when asked for and shared by :meth:`at`.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> H = thresholds(4)
    >>> target = FiniteDistribution.uniform([Example(x, H(2, x)) for x in range(4)])
    >>> D_1 = TournamentDistribution(H, target, k=1, n=1)
    >>> D_1.is_defined, D_1.at(0).highest_frequency, D_1.threshold
    (False, Fraction(1, 2), Fraction(1, 4))
    >>> D_1 = TournamentDistribution(H, target, k=1, n=1, threshold=1)
    >>> for f, p in D_1.law_of_output().items():
    ...     print([f >> x & 1 for x in range(4)], p)
    [0, 1, 1, 1] 1/5
    [0, 0, 1, 1] 23/40
    [0, 0, 0, 1] 1/8
    [0, 1, 0, 1] 1/10
    >>> D_1.all_labels_agree, D_1.expected_draws
    (Fraction(1, 2), Fraction(16, 5))
    """

    H: FiniteClass | ImplicitClass
    target: FiniteDistribution[Example[Hashable]]
    k: int
    n: int
    pick: Pick
    tie: int
    threshold: Fraction
    concept: int
    max_states: int | None
    max_memory: int
    _states: SoaStates = field(repr=False, compare=False)
    _rule: PickRule = field(repr=False, compare=False)
    _law: TournamentLaw[ListedLevel] | TournamentLaw[CompiledLevel] = field(
        repr=False, compare=False
    )

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        target: FiniteDistribution[Example[Hashable]],
        k: int,
        n: int,
        *,
        pick: Pick = "lowest",
        tie: int = 1,
        threshold: AnyNumber | None = None,
        concept: int | None = None,
        max_states: int | None = None,
        max_memory: int = MAX_MEMORY,
    ) -> None:
        realizable = require_realizable(H, target)
        states = SoaStates(H, tie)
        rule = as_pick_rule(pick, states.spaces)
        size = as_size(n, "n")
        name, labels = _concept(concept, realizable, states.spaces)
        limit = None if max_states is None else as_size(max_states, "max_states", least=1)
        memory = as_size(max_memory, "max_memory", least=1)
        law = tournament_law(
            states,
            realizable,
            size,
            rule,
            concept=labels,
            max_states=limit,
            max_memory=memory,
        )
        for field_, value in (
            ("H", H),
            ("target", target),
            ("k", as_size(k, "k")),
            ("n", size),
            ("pick", pick if isinstance(pick, str) or callable(pick) else tuple(pick)),
            ("tie", int(tie)),
            ("threshold", _threshold(threshold, H)),
            ("concept", name),
            ("max_states", limit),
            ("max_memory", memory),
            ("_states", states),
            ("_rule", rule),
            ("_law", law),
        ):
            object.__setattr__(self, field_, value)

    def at(self, k: int) -> TournamentDistribution:
        """Return the distribution for another number of tournaments, with what is known of the law.

        Parameters
        ----------
        k
            The number of tournaments.
        """
        other = copy.copy(self)
        object.__setattr__(other, "k", as_size(k, "k"))
        return other

    @property
    def last_defined(self) -> int:
        """The largest j <= k for which D_j is defined."""
        j = 0
        while j < self.k and self._law.level(j).highest < self.threshold:
            j += 1
        return j

    @property
    def is_defined(self) -> bool:
        """Whether D_k is defined: below level k, no output is as frequent as the threshold."""
        return self.last_defined == self.k

    def _require_defined(self) -> None:
        last = self.last_defined
        if last < self.k:
            reached = in_words(self._law.level(last).highest)
            raise InvalidInput(
                "k",
                f"{self.k}",
                f"at most {last}: an output of D_{last} has frequency {reached}, "
                f"and {in_words(self.threshold)} ends the sequence",
            )

    def _level(self) -> TournamentLevel:
        self._require_defined()
        return self._law.level(self.k)

    def law_of_output(self) -> FiniteDistribution[Mask]:
        """Return the exact law of SOA(S o T), for S ~ D_k and T ~ D^n.

        Returns
        -------
        FiniteDistribution
            On predictors f, which are functions, and integers whose bit ``x`` is f(x) for the point
            of column ``x``.
        """
        return reduced_law(
            {hypothesis_of(self.H, f): weight for f, weight in self._level().outputs.items()}
        )

    def law_of_predictor(self) -> FiniteDistribution[Mask]:
        """Return the exact law of SOA(S), for S ~ D_k: without T.

        Returns
        -------
        FiniteDistribution
            As :meth:`law_of_output`.

        Notes
        -----
        T at level k is not followed, so that this takes less than the law of the output.

        Examples
        --------
        >>> from pac_stability.classes import thresholds
        >>> H = thresholds(4)
        >>> target = FiniteDistribution.uniform([Example(x, H(2, x)) for x in range(4)])
        >>> D_1 = TournamentDistribution(H, target, k=1, n=1, threshold=1)
        >>> for f, p in D_1.law_of_predictor().items():
        ...     print([f >> x & 1 for x in range(4)], p)
        [0, 1, 1, 1] 1/5
        [0, 0, 0, 1] 1/10
        [0, 1, 0, 1] 1/5
        [0, 0, 1, 1] 1/2
        """
        self._require_defined()
        outputs = output_weights(self._states, self._law.started(self.k))
        return reduced_law({hypothesis_of(self.H, f): weight for f, weight in outputs.items()})

    def law_of_hypothesis(self) -> FiniteDistribution[Row | Mask]:
        """Return the same law with the names of the class.

        Returns
        -------
        FiniteDistribution
            On hypotheses of the class, where the SOA outputs one, and on masks over its points.

        Examples
        --------
        >>> from pac_stability.classes import FiniteClass
        >>> H = FiniteClass([[0, 0], [1, 1]], domain=["wings", "beak"], names=["dog", "owl"])
        >>> D_0 = TournamentDistribution(H, H.target("owl"), k=0, n=1)
        >>> [(h.name, p) for h, p in D_0.law_of_hypothesis().items()]
        [('owl', Fraction(1, 1))]
        """
        H, law = self.H, self.law_of_output()
        if isinstance(H, ImplicitClass):
            return law
        rows = {as_mask(row): index for index, row in enumerate(H.table)}
        return law.map(lambda f: H[rows[f]] if f in rows else f)

    def law_of_state(self) -> FiniteDistribution[int]:
        """Return the exact law of the state of the SOA after S, for S ~ D_k.

        Returns
        -------
        FiniteDistribution
            On states of :class:`SoaStates`.
        """
        return reduced_law(dict(self._level().start))

    @property
    def highest_frequency(self) -> Fraction:
        """The largest Pr[SOA(S o T) = f] over all f."""
        return self._level().highest

    @property
    def collision(self) -> Fraction:
        """Pr[f_0 = f_1] for two players of the next level, 1 - theta in the proof of Lemma 14."""
        return self._level().collision

    @property
    def expected_draws(self) -> Fraction:
        """E[M_k], the expected number of examples drawn from the target to make one sample.

        E[M_0] = 0 and E[M_k] = 2 (E[M_{k-1}] + n) / theta exactly, since the number of rounds is
        geometric. With a threshold of at most 1/2 it is at most (4^(k+1) - 4) n / 3, which is
        below the 4^(k+1) n of BLM20, Lemma 14.
        """
        return self._level().expected_draws

    @property
    def all_labels_agree(self) -> Fraction:
        """Probability that the labels of all k tournament examples are those of the concept.

        1 for k = 0 and 1/2 for k = 1, and for larger k it can be below 2^-k. The label is a fair
        coin for the pair of players, but not for the one that is kept, which has predicted the
        other label: samples that agree with the concept so far tend to err less, and then they
        are kept less often.
        """
        return self._level().all_labels_agree

    @property
    def state_count(self) -> int:
        """How many states of the SOA have positive probability after S o T."""
        return self._level().state_count

    def run(self, rng: Coins = SYSTEM_COINS, max_draws: int = MAX_DRAWS) -> TournamentRecord:
        """Draw a sample from D_k by the recursion that defines it.

        Parameters
        ----------
        rng
            Where the coins come from; the operating system's entropy by default.
        max_draws
            Stop rather than draw more examples than this from the target.

        Returns
        -------
        TournamentRecord
            The sample and how it came about.

        Raises
        ------
        DrawsExhausted
            More than ``max_draws`` examples are needed; :attr:`expected_draws` says how many to
            expect.

        Notes
        -----
        Time and memory linear in the number of draws.
        """
        self._require_defined()
        return RecursiveDraw(self, rng, as_size(max_draws, "max_draws")).record(self.k)[0]


class DrawsExhausted(BudgetExhausted):
    """A run needs more examples than it may draw."""


class RecursiveDraw:
    """One run of the recursive sampler, and how much it has drawn so far.

    Whether D_k is defined is not asked: without the budget, a run may never end.

    Parameters
    ----------
    D
        What to draw from.
    rng
        Where the coins come from.
    budget
        N: ``DrawsExhausted`` is raised rather than that more examples are drawn.
    """

    def __init__(self, D: TournamentDistribution, rng: Coins, budget: int) -> None:
        self._D = D
        self._rng = rng
        self._budget = budget
        self._drawn = 0

    def record(self, k: int) -> tuple[TournamentRecord, int]:
        """Draw S ~ D_k; also the state of the SOA after it."""
        states = self._D._states
        if k == 0:
            return TournamentRecord(Sample((), ()), None, 0), states.start
        before = self._drawn
        ties: list[int] = []
        while True:
            (first, after_first), (second, after_second) = self._player(k - 1), self._player(k - 1)
            if first.predictor != second.predictor:
                break
            ties.append(first.predictor)
        column = self._D._rule.point(first.predictor, second.predictor)
        label = self._rng.below(2)
        spaces = states.spaces
        kept = 0 if spaces.label(first.predictor, column) != label else 1
        winner, state = ((first, after_first), (second, after_second))[kept]
        example = Example(spaces.point(column), label)
        sample = winner.record.sample + winner.drawn + Sample.from_examples([example])
        match = Match((first, second), example, kept, tuple(ties))
        record = TournamentRecord(sample, match, self._drawn - before)
        return record, states.step(state, column, label)

    def _player(self, k: int) -> tuple[Player, int]:
        """Draw S_b ~ D_k and T_b ~ D^n; also the state of the SOA after both."""
        D = self._D
        record, state = self.record(k)
        self._drawn += D.n
        if self._drawn > self._budget:
            raise DrawsExhausted(f"D_{D.k} needs more than {self._budget} draws from the target")
        drawn = Sample.from_examples(D.target.sample(self._rng) for _ in range(D.n))
        states = D._states
        state = states.run(state, ((states.spaces.column(z.point), z.label) for z in drawn))
        return Player(record, drawn, states.predictor(state)), state


def _threshold(threshold: AnyNumber | None, H: FiniteClass | ImplicitClass) -> Fraction:
    if threshold is None:
        return Fraction(1, 2 ** littlestone_dimension(H))
    value = as_probability(threshold, "threshold")
    if value == 0:
        raise InvalidInput("threshold", "0", "a number above 0 and at most 1")
    return value


def _concept(
    concept: int | None, target: RealizableTarget, spaces: VersionSpaces
) -> tuple[int, int]:
    """Return the name of a hypothesis of loss zero, and its labelling."""
    if isinstance(spaces, ImplicitClass):
        labels = spaces.member(target.concepts) if concept is None else concept
        pairs = zip(target.columns, target.labels, strict=True)
        if not spaces.contains(labels) or any(spaces.label(labels, x) != y for x, y in pairs):
            raise InvalidInput("concept", described(concept), "a hypothesis of loss zero")
        return labels, labels
    least = (target.concepts & -target.concepts).bit_length() - 1
    row = least if concept is None else as_size(concept, "concept")
    if not target.concepts >> row & 1:
        rows = tuple(r for r in range(target.concepts.bit_length()) if target.concepts >> r & 1)
        wanted = f"a row of loss zero: one of {described(rows)}"
        raise InvalidInput("concept", str(row), wanted)
    return row, spaces.member(1 << row)
