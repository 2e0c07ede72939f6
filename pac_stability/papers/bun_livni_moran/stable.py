"""Section IV-C: algorithm G, one run and the learner; and Proposition 5 on any learner."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability import data
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_number, as_size, fix, require_instance
from pac_stability.arithmetic import Constants, ConstantsLike, Interval
from pac_stability.audit import Notion
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.classes.implicit import ExampleSource, hypothesis_of
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Mask, Promises
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran import formulas, tournament_laws
from pac_stability.papers.bun_livni_moran.tournaments import MonteCarloTournament
from pac_stability.randomness import SYSTEM_COINS, Coins

Feed: TypeAlias = Callable[[int, int], int]
"""Gives the state of the SOA after so many more examples."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The common parameters of all runs.

    Attributes
    ----------
    states
        The SOA.
    rule
        The rule for the point at which two predictors are separated.
    block
        n, the number of examples that each player draws.
    blocks
        B, the budget: at most N = B n draws for a sample S.
    fresh
        |T|, the number of examples drawn after S.
    """

    states: SoaStates
    rule: tournament_laws.PickRule
    block: int
    blocks: int
    fresh: int

    def run(self, top: int, feed: Feed, rng: Coins) -> int | None:
        """Return the state after S o T for S from the k-th Monte-Carlo distribution, k = ``top``.

        ``None`` stands for Fail: S would need more blocks than the budget.
        """
        spaces = self.states.spaces
        waiting: dict[int, int] = {}  # by level: a player whose rival is still to come
        state, level, drawn = self.states.start, 0, 0
        while level < top:  # `state` is that of a sample which has won `level` tournaments
            if drawn == self.blocks:
                return None
            drawn += 1
            state = feed(state, self.block)
            if level not in waiting:
                waiting[level] = state
                state, level = self.states.start, 0
                continue
            rival = waiting.pop(level)
            f, g = self.states.predictor(rival), self.states.predictor(state)
            if f == g:
                state, level = self.states.start, 0
                continue
            column, label = self.rule.point(f, g), rng.below(2)
            loser = rival if spaces.label(f, column) != label else state
            state, level = self.states.step(loser, column, label), level + 1
        return feed(state, self.fresh)


def given(states: SoaStates, codes: npt.NDArray[Any]) -> Feed:
    """Feed a run with examples: twice the column plus the label, in an array of any integers."""
    read = 0

    def block(state: int, n: int) -> int:
        nonlocal read
        begin, read = read, read + n
        return states.run_codes(state, codes[begin:read])

    return block


def drawn(states: SoaStates, source: ExampleSource[Hashable], rng: Coins) -> Feed:
    """Feed a run with examples drawn from a target, listed or not."""
    column = states.spaces.column

    def block(state: int, n: int) -> int:
        for _ in range(n):
            example = source.sample(rng)
            state = states.step(state, column(example.point), example.label)
        return state

    return block


# The globally stable learner: algorithm G


@dataclass(frozen=True, slots=True, repr=False)
class FrequentOutput(Tabled):
    """An output of the learner on samples from a target.

    Attributes
    ----------
    hypothesis
        A function on the points, and an integer: bit ``x`` is the label of column ``x``, or the
        integer is in the encoding of an implicit class.
    frequency
        Its probability, or an enclosure of it.
    loss
        Its loss on the target.
    """

    hypothesis: Mask
    frequency: Interval
    loss: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class GlobalStability(Tabled):
    """The stability of the learner on a target, and the promised stability.

    Attributes
    ----------
    most_frequent
        The most frequent of all outputs. Its frequency is the largest eta with which the learner is
        globally stable on the target [BLM20, Definition 4].
    most_frequent_accurate
        The most frequent output of loss at most alpha; ``None`` when there is none.
    promised
        The frequency that Theorem 10 promises for it.
    """

    most_frequent: FrequentOutput
    most_frequent_accurate: FrequentOutput | None
    promised: Fraction

    @property
    def is_as_promised(self) -> bool:
        """Whether an output of loss at most alpha has the promised frequency.

        It raises ``Undecided`` if the enclosure of the frequency does not decide.
        """
        accurate = self.most_frequent_accurate
        return accurate is not None and accurate.frequency >= self.promised


@dataclass(frozen=True)
class GloballyStableLearner(LawfulLearner[Hashable]):
    """Algorithm G: the SOA on a sample that has won a random number of tournaments.

    k is drawn from 0, ..., d uniformly, S from the Monte-Carlo variant of D_k with budget N, and T
    from D^n; the output is SOA(S o T) [BLM20, Section IV-C]. It is a mechanism: the draws are
    examples of the given sample, one after the other, so that there is an output for every sample
    of sufficient size, realizable or not. Hypotheses are of type
    :class:`~pac_stability.learning.Mask`: integers whose bit ``x`` is the label of the point of
    column ``x``. A class without a table gives a
    :class:`~pac_stability.classes.implicit.Labelling`.

    On "Fail", for which the paper names no output, the output is :attr:`default`.

    Parameters
    ----------
    H
        The class, of Littlestone dimension d >= 1.
    alpha
        The loss of the stable output, above 0.
    constants
        Printed: n = ceil(d/alpha), N = 8^(d+1) n, which is proved for d = 1 only. Proved and
        sharp: see :class:`GlobalStabilityParameters`.
    pick
        The rule for the point of step (iv), see ``Pick``.
    tie
        The label that the SOA predicts at a tie.
    n
        Examples that each player draws, at least 1, if not as in :attr:`parameters`.
    blocks
        B = N/n, how many players may draw for S, if not as in :attr:`parameters`; at least the 2
        (2^d - 1) that d tournaments take without a tie.
    max_states
        The most states of a law.
    level
        k, if it is not drawn: then S has won exactly so many tournaments, from 0 to d, which may do
        with fewer blocks. There is no promise for one level alone; see :class:`ByLevelSizes`.
    fresh
        Whether T is drawn. Without it the output is SOA(S), for an S that has won a tournament at
        least. After d tournaments whose labels agree with the target it is the target.

    Raises
    ------
    InvalidInput
        A parameter is out of range; on use, the sample is smaller than :attr:`sample_size`, or has
        points outside the domain.

    Notes
    -----
    With n and blocks as in :attr:`parameters`, proved or sharp constants, and any realizable
    target, some hypothesis f of loss at most alpha has ``Pr[G = f] >= parameters.eta``: see
    :class:`GlobalStabilityParameters`. With smaller ones there is no promise.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> H = singletons(3)
    >>> G = GloballyStableLearner(H, alpha="1/4")
    >>> G.dimension, G.n, G.blocks, G.sample_size, G.parameters.eta
    (1, 3, 2, 9, Fraction(1, 8))
    >>> target = data.FiniteDistribution.uniform([data.Example(x, H(0, x)) for x in range(3)])
    >>> for f, p in G.enclosed_law_of_output(target).items():
    ...     print(f, round(float(p), 6))
    <Mask 0: 0, 1: 0, 2: 0> 0.430041
    <Mask 0: 1, 1: 0, 2: 0> 0.52238
    <Mask 0: 1, 1: 0, 2: 1> 0.023777
    <Mask 0: 1, 1: 1, 2: 0> 0.023777
    <Mask 0: 1, 1: 1, 2: 1> 2.5e-05
    >>> G.global_stability(target).is_as_promised
    True
    """

    H: FiniteClass | ImplicitClass
    parameters: formulas.GlobalStabilityParameters
    pick: tournament_laws.Pick
    tie: int
    n: int
    blocks: int
    max_states: int
    level: int | None
    fresh: bool
    _rules: Rules = field(repr=False, compare=False)

    def __init__(
        self,
        H: FiniteClass | ImplicitClass,
        alpha: AnyNumber,
        *,
        constants: ConstantsLike = Constants.SHARP,
        pick: tournament_laws.Pick = "lowest",
        tie: int = 1,
        n: int | None = None,
        blocks: int | None = None,
        max_states: int = tournament_laws.MAX_STATES,
        level: int | None = None,
        fresh: bool = True,
    ) -> None:
        states = SoaStates(H, tie)  # refuses an empty class, and what is no label
        d = littlestone_dimension(H)
        if d == 0:
            wanted = "dimension at least 1: a single hypothesis is output without any examples"
            raise InvalidInput("H", "a class of Littlestone dimension 0", wanted)
        parameters = formulas.GlobalStabilityParameters(d, as_number(alpha, "alpha"), constants)
        size = parameters.n if n is None else as_size(n, "n", least=1)
        tournament_laws.as_pick_rule(pick, states.spaces)
        count = parameters.blocks if blocks is None else as_size(blocks, "blocks")
        most = d if level is None else as_size(level, "level")
        if most > d:
            raise InvalidInput("level", str(most), f"at most the dimension, {d}")
        least = 2 * (2**most - 1)
        if count < least:
            raise InvalidInput(
                "blocks",
                str(count),
                f"at least {least}: {most} tournaments take so many players without a tie, "
                "and every run with so many tournaments would fail",
            )
        require_instance(fresh, bool, "fresh")
        if not (fresh or level):
            wanted = "True, or a level above 0: else some runs see no examples"
            raise InvalidInput("fresh", "False", wanted)
        fix(
            self,
            H=H,
            parameters=parameters,
            pick=pick if isinstance(pick, str) or callable(pick) else tuple(pick),
            tie=int(tie),
            n=size,
            blocks=count,
            max_states=as_size(max_states, "max_states", least=1),
            level=None if level is None else most,
            fresh=fresh,
        )
        object.__setattr__(self, "_rules", self.rules())

    @property
    def dimension(self) -> int:
        """d, the Littlestone dimension of the class."""
        return self.parameters.dimension

    @property
    def sample_size(self) -> int:
        """m, the size of the sample: N, and n for T."""
        return (self.blocks + self.fresh) * self.n

    @property
    def default(self) -> Mask:
        """The output on "Fail": the predictor of the SOA before any example."""
        return self._mask(self._rules.states.predictor(self._rules.states.start))

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: :attr:`sample_size`."""
        return self.sample_size

    def promises(self, n: int, /) -> Promises:
        """Return the proved promises of the learner on samples of n examples, by notion.

        For realizable targets, with the sizes of :attr:`parameters`; otherwise nothing.

        Parameters
        ----------
        n
            The size of the samples.
        """
        own = self.parameters
        proved = own.constants is not Constants.PRINTED or own.dimension == 1
        # There is a T where the level is drawn.
        as_stated = (self.n, self.blocks, self.level) == (own.n, own.blocks, None)
        if n < self.sample_size or not (proved and as_stated):
            return {}
        return {Notion.GLOBAL_STABILITY: own.eta}

    def rules(self) -> Rules:
        """Return the common parameters of all runs, without a cache."""
        states = SoaStates(self.H, self.tie)
        rule = tournament_laws.as_pick_rule(self.pick, states.spaces)
        return Rules(states, rule, self.n, self.blocks, self.fresh * self.n)

    def __reduce__(self) -> tuple[object, ...]:
        # What is remembered of the states of the SOA is not sent to other processes.
        again = partial(
            type(self),
            constants=self.parameters.constants,
            pick=self.pick,
            tie=self.tie,
            n=self.n,
            blocks=self.blocks,
            max_states=self.max_states,
            level=self.level,
            fresh=self.fresh,
        )
        return again, (self.H, self.parameters.alpha)

    def run(self, sample: data.Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> Mask:
        """Return a hypothesis.

        Parameters
        ----------
        sample
            The sample, of at least :attr:`sample_size` examples; further ones are ignored.
        rng
            The source of coins; by default the operating system's entropy.

        Notes
        -----
        ``O(m)`` steps of the SOA.
        """
        return self._mask(self._run(self._codes(sample), rng))

    def law(self, sample: data.Sample[Hashable], /) -> data.FiniteDistribution[Mask]:
        """Return the exact law of the output on a sample.

        Parameters
        ----------
        sample
            The sample, of at least :attr:`sample_size` examples.

        Notes
        -----
        It follows all paths of the coins, up to ``2**(blocks/2)`` of them: for small budgets.
        """
        return data.enumerate_law(partial(self._run, self._codes(sample))).map(self._mask)

    def _mask(self, f: int) -> Mask:
        return hypothesis_of(self.H, f)

    def _run(self, codes: npt.NDArray[Any], rng: Coins) -> int:
        states = self._rules.states
        state = self._rules.run(self.level_drawn(rng), given(states, codes), rng)
        return states.predictor(states.start if state is None else state)

    def _codes(self, sample: data.Sample[Hashable]) -> npt.NDArray[Any]:
        self.require(sample)
        points, labels = sample.points[: self.sample_size], sample.labels[: self.sample_size]
        column = self._rules.states.spaces.column
        columns = {point: column(point) for point in dict.fromkeys(points)}
        codes = [2 * columns[x] + label for x, label in zip(points, labels, strict=True)]
        return np.array(codes, dtype=np.uint32 if isinstance(self.H, FiniteClass) else object)

    def level_drawn(self, rng: Coins) -> int:
        """Return how many tournaments S has to win: :attr:`level`, or a number from 0 to d.

        Parameters
        ----------
        rng
            Where the coins come from; none are drawn for a level that is given.
        """
        return rng.below(self.dimension + 1) if self.level is None else self.level

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that occur, all with the same probability."""
        return tuple(range(self.dimension + 1)) if self.level is None else (self.level,)

    def tournaments(
        self, target: data.FiniteDistribution[data.Example[Hashable]], k: int
    ) -> MonteCarloTournament:
        """Return the distribution of S for k tournaments.

        Parameters
        ----------
        target
            A realizable distribution of examples.
        k
            The number of tournaments, at most d.
        """
        return MonteCarloTournament(
            self.H,
            target,
            k,
            self.n,
            self.blocks * self.n,
            pick=self.pick,
            tie=self.tie,
            max_states=self.max_states,
            fresh=self.fresh,
        )

    def law_of_output(
        self, target: data.FiniteDistribution[data.Example[Hashable]]
    ) -> data.FiniteDistribution[Mask]:
        """Return the exact law of the output on m examples drawn from a target.

        Parameters
        ----------
        target
            A realizable distribution of examples.

        Raises
        ------
        NotRealizable
            No hypothesis fits the target.
        BudgetExhausted
            The probabilities have too many digits: use :meth:`enclosed_law_of_output`. Or there are
            more than ``max_states`` states.
        """
        levels = self.levels
        top = self.tournaments(target, levels[-1])
        weight = Fraction(1, len(levels))
        laws = [(weight, top.at(k).law_of_output()) for k in levels]
        default = self.default
        return data.FiniteDistribution.mixture(laws).map(
            lambda f: default if f is None else self._mask(f)
        )

    def enclosed_law_of_output(
        self, target: data.FiniteDistribution[data.Example[Hashable]], bits: int = 128
    ) -> data.EnclosedDistribution[Mask]:
        """Enclose the law of the output on m examples drawn from a target.

        Parameters
        ----------
        target
            A realizable distribution of examples.
        bits
            Probabilities other than that of :attr:`default` are known up to ``2**-bits``, and this
            one up to twice as much.

        Raises
        ------
        NotRealizable
            No hypothesis fits the target.
        BudgetExhausted
            There are more than ``max_states`` states.
        """
        levels = self.levels
        top = self.tournaments(target, levels[-1])
        weights: dict[Mask, Interval] = {}
        for k in levels:
            for f, p in top.at(k).enclosed_law_of_output(bits).items():
                output = self.default if f is None else self._mask(f)
                weights[output] = weights.get(output, Interval.exactly(0)) + p / len(levels)
        return data.EnclosedDistribution(weights)

    def global_stability(
        self, target: data.FiniteDistribution[data.Example[Hashable]], bits: int = 128
    ) -> GlobalStability:
        """Return the stability of the learner on a target, next to the promised one.

        Parameters
        ----------
        target
            A realizable distribution of examples.
        bits
            As for :meth:`enclosed_law_of_output`, which raises the same errors.
        """
        law = self.enclosed_law_of_output(target, bits)
        outputs = [FrequentOutput(f, p, self._loss(target, f)) for f, p in law.items()]
        accurate = [output for output in outputs if output.loss <= self.parameters.alpha]
        return GlobalStability(
            _most_frequent(outputs),
            _most_frequent(accurate) if accurate else None,
            self.parameters.eta,
        )

    def _loss(self, target: data.FiniteDistribution[data.Example[Hashable]], f: Mask) -> Fraction:
        wrong = (p for z, p in target.items() if f(z.point) != z.label)
        return sum(wrong, Fraction(0))


def _most_frequent(outputs: list[FrequentOutput]) -> FrequentOutput:
    first = max(outputs, key=lambda output: output.frequency.lower)
    most = max(output.frequency.upper for output in outputs)
    return replace(first, frequency=Interval(first.frequency.lower, most))


# Proposition 5 on one learner and one target: what is output often has small loss

F = TypeVar("F", bound=Callable[[Hashable], int] | Mapping[Hashable, int])


@dataclass(frozen=True, slots=True, repr=False)
class OutputOfLearner(Tabled, Generic[F]):
    """One output of a learner: its probability and its loss.

    Attributes
    ----------
    hypothesis
        h.
    frequency
        Pr[A(S) = h] for S ~ D^n.
    loss
        loss_D(h).
    """

    hypothesis: F
    frequency: Fraction
    loss: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class ConsistentOutputs(Tabled, Generic[F]):
    """All outputs of a learner on one target, against Proposition 5.

    Attributes
    ----------
    n
        The sample size.
    outputs
        Every output, the most frequent first.
    inconsistent
        A sample on which some output errs, or ``None``: the learner is consistent on the target.
    """

    n: int
    outputs: tuple[OutputOfLearner[F], ...]
    inconsistent: data.Sample[Hashable] | None

    @property
    def stability(self) -> Fraction:
        """The largest eta for which the learner is (n, eta)-globally stable on the target."""
        return self.outputs[0].frequency

    @property
    def violations(self) -> tuple[OutputOfLearner[F], ...]:
        """The outputs h with ``Pr[A(S) = h] > (1 - loss(h))**n``.

        There are none when the learner is consistent.
        """
        return tuple(
            output
            for output in self.outputs
            if not formulas.FrequentOutputLoss(output.frequency, self.n).allows(output.loss)
        )

    @property
    def holds(self) -> bool:
        """Whether every output obeys ``Pr[A(S) = h] <= (1 - loss(h))**n``."""
        return not self.violations


def proposition_5(
    learner: data.Mechanism[data.Sample[Hashable], F],
    H: FiniteClass,
    target: data.FiniteDistribution[data.Example[Hashable]],
    n: int,
) -> ConsistentOutputs[F]:
    """Return the outputs of a learner on n examples of a target, with their losses.

    A consistent learner outputs h only on samples that h fits, so with probability at most ``(1 -
    loss(h))**n``. That is exact; Proposition 5 states the weaker ``loss(h) <= ln(1/eta) / n``.

    Parameters
    ----------
    learner
        A mechanism from samples to hypotheses. Hypotheses are functions on points or mappings, and
        must be hashable; equal ones are one output.
    H
        The class.
    target
        D, a distribution of examples that some hypothesis of H fits without loss.
    n
        The sample size, at least 1.

    Returns
    -------
    ConsistentOutputs
        The outputs, and whether the learner was consistent.

    Raises
    ------
    InvalidInput
        A parameter is not as described.
    NotRealizable
        No hypothesis fits the target.

    Notes
    -----
    It computes the law of the output on every sequence of n examples of the support. Source: BLM20
    Proposition 5.

    Examples
    --------
    >>> from pac_stability.data import Deterministic
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> target = data.FiniteDistribution.uniform([data.Example(0, 0), data.Example(1, 1)])
    >>> first = Deterministic(lambda S: next(h for h in H if S.count_errors(h) == 0))
    >>> for output in proposition_5(first, H, target, 2).outputs:
    ...     print(output.hypothesis.index, output.frequency, output.loss)
    1 3/4 0
    0 1/4 1/2
    """
    tournament_laws.require_realizable(H, target)
    size = as_size(n, "n", least=1)
    frequencies: dict[F, Fraction] = {}
    inconsistent: data.Sample[Hashable] | None = None
    for examples, p in target.power(size).items():
        sample = data.Sample.from_examples(examples)
        for h, share in learner.law(sample).items():
            frequencies[h] = frequencies.get(h, Fraction(0)) + p * share
            if inconsistent is None and sample.count_errors(h):
                inconsistent = sample
    support = data.Sample.from_examples(target.support)
    weights = [target.probability(example) for example in target.support]
    outputs = []
    for h, p in sorted(frequencies.items(), key=lambda item: -item[1]):
        wrong = (data.Sample.from_examples([z]).count_errors(h) for z in support)
        loss = sum((w * e for w, e in zip(weights, wrong, strict=True)), Fraction(0))
        outputs.append(OutputOfLearner(h, p, loss))
    return ConsistentOutputs(size, tuple(outputs), inconsistent)
