"""Section IV-B: samples that have won k tournaments, D_k, exactly and by sampling.

A record lists the matches, their points, and the resulting sample. With a budget, as in Section
IV-C, tournaments fail instead of drawing more than N examples.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from pac_stability import arguments
from pac_stability._report import Face, Reported
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass, ImplicitClass, Row, VersionSpaces
from pac_stability.classes.bits import as_mask
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import EnclosedDistribution, Example, FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.learning import Mask
from pac_stability.mechanisms import occurrences, successes
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran import compiled_laws, tournament_laws
from pac_stability.papers.bun_livni_moran.formulas.parameters import DrawCounts
from pac_stability.randomness import SYSTEM_COINS, Coins


@dataclass(frozen=True, slots=True, repr=False)
class TournamentRecord(Reported):
    """A sample S drawn from D_k, with the tree of tournaments that it came from.

    Attributes
    ----------
    sample
        S, of k(n + 1) examples.
    match
        The last tournament; ``None`` for the empty sample of D_0.
    draws
        The number of examples drawn from the target for S, kept and discarded; M_k.

    Notes
    -----
    As text it is the tree of Figure 2 of BLM20, with the root on the left. A node is a tournament
    example, with the number of ties before it. An edge is a sample T_b, named by the way from the
    root to it, and marked ``*`` when its side was kept; the marked way from the root is S.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.data import FiniteDistribution
    >>> from pac_stability.papers.bun_livni_moran.tournaments import (
    ...     TournamentDistribution,
    ... )
    >>> from pac_stability.randomness import SeededCoins
    >>> H = thresholds(8)
    >>> target = FiniteDistribution.uniform([Example(x, H(4, x)) for x in range(8)])
    >>> D_2 = TournamentDistribution(H, target, k=2, n=2, threshold="1/2")
    >>> record = D_2.run(SeededCoins(3))
    >>> print(record)
    (0, 1)
    ├─* T_0 = (5, 1) (2, 0)
    │    └─ (3, 0)
    │       ├─* T_00 = (6, 1) (0, 0)
    │       └─  T_01 = (3, 0) (5, 1)
    └─  T_1 = (5, 1) (1, 0)
         └─ (1, 1)
            ├─* T_10 = (7, 1) (7, 1)
            └─  T_11 = (7, 1) (4, 1)
    >>> record.path, record.sample.points, record.draws
    ((0, 0), (6, 0, 3, 5, 2, 0), 12)
    """

    _face: ClassVar[str] = "pac_stability.papers.bun_livni_moran.tournaments:record_face"

    sample: Sample[Hashable]
    match: Match | None
    draws: int

    @property
    def path(self) -> tuple[int, ...]:
        """Which side was kept, from the last tournament down to the first: the way of S."""
        if self.match is None:
            return ()
        return self.match.kept, *self.match.players[self.match.kept].record.path

    def matches(self) -> Iterator[tuple[tuple[int, ...], Match]]:
        """Yield every decided match with its place in the tree, parents before children.

        The place is the way from the root, which itself has place ``()``; ``(0, 1)`` is the match
        that decided the record of the second player of the match that decided the record of the
        first player of the root.
        """
        if self.match is not None:
            yield (), self.match
            for side, player in enumerate(self.match.players):
                for place, match in player.record.matches():
                    yield (side, *place), match


def record_face(record: TournamentRecord) -> Face:
    """Return the tree of a tournament, as lines."""
    return Face(lambda: "\n".join(_lines(record, ())))


@dataclass(frozen=True, slots=True)
class Match:
    """A decided match between two players, steps (i) to (v) of the paper.

    Attributes
    ----------
    players
        The two players with different predictors.
    example
        The tournament example (x, y), which the predictor of one of them has wrong.
    kept
        The index of that player, 0 or 1; the example is appended to this player's sample.
    ties
        For each earlier pair without a decision, the common predictor of both players.
    """

    players: tuple[Player, Player]
    example: Example[Hashable]
    kept: int
    ties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a match.

    Attributes
    ----------
    record
        The record of its sample S_b.
    drawn
        T_b, the examples drawn from the target and appended to S_b.
    predictor
        SOA(S_b o T_b); bit ``x`` is the label at column ``x``.
    """

    record: TournamentRecord
    drawn: Sample[Hashable]
    predictor: int


def _lines(record: TournamentRecord, place: tuple[int, ...]) -> Iterator[str]:
    match = record.match
    if match is None:
        yield "empty"
        return
    ties = len(match.ties)
    after = "" if ties == 0 else " after 1 tie" if ties == 1 else f" after {ties} ties"
    yield f"{_shown(match.example)}{after}"
    for side, player in enumerate(match.players):
        here = (*place, side)
        name = "T_" + "".join(map(str, here))
        examples = " ".join(map(_shown, player.drawn)) or "empty"
        mark = "*" if side == match.kept else " "
        yield f"{'└' if side else '├'}─{mark} {name} = {examples}"
        if player.record.match is not None:
            bar = " " if side else "│"
            below = _lines(player.record, here)
            yield f"{bar}    └─ {next(below)}"
            yield from (f"{bar}       {line}" for line in below)


def _shown(example: Example[Hashable]) -> str:
    return f"({example.point!r}, {example.label})"


# The distributions D_k: samples that have won k tournaments, exactly and by sampling

MAX_DRAWS = 1_000_000


@dataclass(frozen=True)
class TournamentDistribution:
    """The distribution D_k of samples that have won k tournaments, on a finite target.

    D_0 is the empty sample. For D_k, two players draw samples S_0, S_1 from D_{k-1} and T_0, T_1
    from D^n, until the predictors f_b = SOA(S_b o T_b) differ; a point x where they do is picked,
    and a fair coin gives y; S_b o T_b o (x, y) is kept for the b with f_b(x) != y. D_k is undefined
    when D_{k-1} is, or when one f has Pr[SOA(S o T) = f] >= threshold for S ~ D_{k-1} and T ~ D^n
    [BLM20, Section IV-B].

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
        The most bytes for the law of one level in the core.

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
    only, and the law over states is carried from level to level in integers, in ``O(n |states|
    |support| + |states| |X|)`` operations a level (``O(|outputs|^2)`` more when ``pick`` is a
    function). On tables, and where points are preferred in a fixed order, nearly all of it is
    compiled. Levels are computed on demand and shared by :meth:`at`.

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
    pick: tournament_laws.Pick
    tie: int
    threshold: Fraction
    concept: int
    max_states: int | None
    max_memory: int
    _states: SoaStates = field(repr=False, compare=False)
    _rule: tournament_laws.PickRule = field(repr=False, compare=False)
    _law: (
        tournament_laws.TournamentLaw[tournament_laws.ListedLevel]
        | tournament_laws.TournamentLaw[compiled_laws.CompiledLevel]
    ) = field(repr=False, compare=False)

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        target: FiniteDistribution[Example[Hashable]],
        k: int,
        n: int,
        *,
        pick: tournament_laws.Pick = "lowest",
        tie: int = 1,
        threshold: arguments.AnyNumber | None = None,
        concept: int | None = None,
        max_states: int | None = None,
        max_memory: int = compiled_laws.MAX_MEMORY,
    ) -> None:
        realizable = tournament_laws.require_realizable(H, target)
        states = SoaStates(H, tie)
        rule = tournament_laws.as_pick_rule(pick, states.spaces)
        size = arguments.as_size(n, "n")
        name, labels = _concept(concept, realizable, states.spaces)
        limit = None if max_states is None else arguments.as_size(max_states, "max_states", least=1)
        memory = arguments.as_size(max_memory, "max_memory", least=1)
        law = compiled_laws.tournament_law(
            states, realizable, size, rule, concept=labels, max_states=limit, max_memory=memory
        )
        arguments.fix(
            self,
            H=H,
            target=target,
            k=arguments.as_size(k, "k"),
            n=size,
            pick=pick if isinstance(pick, str) or callable(pick) else tuple(pick),
            tie=int(tie),
            threshold=_threshold(threshold, H),
            concept=name,
            max_states=limit,
            max_memory=memory,
            _states=states,
            _rule=rule,
            _law=law,
        )

    def at(self, k: int) -> TournamentDistribution:
        """Return the distribution for another number of tournaments; it shares the known levels.

        Parameters
        ----------
        k
            The number of tournaments.
        """
        other = copy.copy(self)
        object.__setattr__(other, "k", arguments.as_size(k, "k"))
        return other

    @property
    def last_defined(self) -> int:
        """The largest j <= k for which D_j is defined."""
        levels = range(self.k)
        return next((j for j in levels if self._law.level(j).highest >= self.threshold), self.k)

    @property
    def is_defined(self) -> bool:
        """Whether D_k is defined: below level k, no output is as frequent as the threshold."""
        return self.last_defined == self.k

    def _require_defined(self) -> None:
        last = self.last_defined
        if last < self.k:
            reached = arguments.in_words(self._law.level(last).highest)
            raise InvalidInput(
                "k",
                f"{self.k}",
                f"at most {last}: an output of D_{last} has frequency {reached}, "
                f"and {arguments.in_words(self.threshold)} ends the sequence",
            )

    def _level(self) -> tournament_laws.TournamentLevel:
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
        outputs = tournament_laws.output_weights(self._states, self._law.started(self.k))
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
        coin for the pair of players, but not for the kept one, which predicted the other label.
        Samples that agree with the concept so far tend to err less, so they are kept less often.
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
            The source of coins; by default the operating system's entropy.
        max_draws
            The most examples to draw from the target.

        Returns
        -------
        TournamentRecord
            The sample with its record.

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
        return RecursiveDraw(self, rng, arguments.as_size(max_draws, "max_draws")).record(self.k)[0]


class DrawsExhausted(BudgetExhausted):
    """A run needs more examples than its budget."""


class RecursiveDraw:
    """One run of the recursive sampler, and its draws so far.

    It does not check whether D_k is defined; without the budget, a run may never end.

    Parameters
    ----------
    D
        What to draw from.
    rng
        Where the coins come from.
    budget
        N: It raises ``DrawsExhausted`` instead of exceeding the budget.
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


def _threshold(threshold: arguments.AnyNumber | None, H: FiniteClass | ImplicitClass) -> Fraction:
    if threshold is None:
        return Fraction(1, 2 ** littlestone_dimension(H))
    value = arguments.as_probability(threshold, "threshold")
    if value == 0:
        raise InvalidInput("threshold", "0", "a number above 0 and at most 1")
    return value


def _concept(
    concept: int | None, target: tournament_laws.RealizableTarget, spaces: VersionSpaces
) -> tuple[int, int]:
    """Return the name of a hypothesis of loss zero, and its labelling."""
    if isinstance(spaces, ImplicitClass):
        labels = spaces.member(target.concepts) if concept is None else concept
        pairs = zip(target.columns, target.labels, strict=True)
        if not spaces.contains(labels) or any(spaces.label(labels, x) != y for x, y in pairs):
            raise InvalidInput("concept", arguments.described(concept), "a hypothesis of loss zero")
        return labels, labels
    least = (target.concepts & -target.concepts).bit_length() - 1
    row = least if concept is None else arguments.as_size(concept, "concept")
    if not target.concepts >> row & 1:
        rows = tuple(r for r in range(target.concepts.bit_length()) if target.concepts >> r & 1)
        wanted = f"a row of loss zero: one of {arguments.described(rows)}"
        raise InvalidInput("concept", str(row), wanted)
    return row, spaces.member(1 << row)


# Tournaments with a budget: they fail rather than draw more than N examples


@dataclass(frozen=True)
class MonteCarloTournament:
    """The Monte-Carlo variant of D_k, with a budget of N draws, on a finite target.

    Samples are made as for :class:`TournamentDistribution`, whether D_k is defined or not, and the
    result is "Fail" as soon as more than N examples would be drawn from the target, including those
    of discarded samples [BLM20, Section IV-C]. "Fail" is ``None`` here.

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
        The rule for the point of step (iv), see ``Pick``.
    tie
        The label that the SOA predicts at a tie.
    max_states
        The most states of a law.
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
    (:class:`DrawCounts`). Failing does not change the law of the sample: ``Pr[SOA(S o T) = f and
    not Fail] = Pr[SOA(S o T) = f] Pr[M_k <= N]``.

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
    pick: tournament_laws.Pick
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
        pick: tournament_laws.Pick = "lowest",
        tie: int = 1,
        max_states: int = tournament_laws.MAX_STATES,
        fresh: bool = True,
    ) -> None:
        arguments.require_instance(fresh, bool, "fresh")
        # With threshold 1, a level is defined unless the rounds of the one below it never end.
        unlimited = TournamentDistribution(
            H, target, k, n, pick=pick, tie=tie, threshold=1, max_states=max_states
        )
        arguments.fix(
            self,
            H=H,
            target=target,
            k=unlimited.k,
            n=unlimited.n,
            budget=arguments.as_size(budget, "budget"),
            pick=unlimited.pick,
            tie=unlimited.tie,
            max_states=unlimited.max_states,
            fresh=fresh,
            _unlimited=unlimited,
        )
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
        """Return the variant for another number of tournaments; it shares the known laws.

        Parameters
        ----------
        k
            The number of tournaments.
        """
        other = copy.copy(self)
        object.__setattr__(other, "k", arguments.as_size(k, "k"))
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
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        Counter
            On predictors f, as integers whose bit ``x`` is f(x) for the point of column ``x``, and
            ``None`` for "Fail". They sum to ``runs``.

        Notes
        -----
        Exact: how many runs do not fail, then what they give, as the one is independent of the
        other. It costs as much as the law of the output, almost independently of the number of
        runs.

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
        size, counts = arguments.as_size(runs, "runs"), self._counts
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
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        TournamentRecord or None
            The sample, its record, and all draws that it took; ``None`` for "Fail".

        Notes
        -----
        Time and memory linear in the budget.
        """
        try:
            return RecursiveDraw(self._unlimited, rng, self.budget).record(self.k)[0]
        except DrawsExhausted:
            return None
