"""What an adaptive session has told of its sample, round by round, and what follows from that."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias, get_args

from pac_stability._report import Reported
from pac_stability.arguments import as_open_unit, as_size, in_words
from pac_stability.compression import bounds
from pac_stability.compression.scheme import Selection
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput

_MOST_BITS = 10**9
"""The number of choices is computed, and has to fit into memory: this is an eighth of a GB."""

BoundKind: TypeAlias = Literal["hoeffding", "split", "anytime", "oblivious", "paper"]
"""A bound that a transcript gives; see :meth:`SessionTranscript.bound`."""


@dataclass(frozen=True)
class KeptRound:
    """A round in which a compression scheme kept examples.

    Attributes
    ----------
    indices
        Where they are in the sample.
    kept
        The examples themselves, in the same order, as the sample has them.
    size
        How many the scheme may have kept, which is charged.
    selection
        What is known of the indices.
    filtered
        Whether the scheme saw a part of the sample only, and kept as many as that part allowed.
    """

    indices: tuple[int, ...]
    kept: Sample[Hashable]
    size: int
    selection: Selection = Selection.SEQUENCE
    filtered: bool = False

    @property
    def bits(self) -> int:
        """1 for a filtered round, which has at most ``2 n**size`` outcomes for n >= 2."""
        return int(self.filtered)

    @property
    def looks_at_the_examples(self) -> bool:
        """Whether the indices may depend on the examples, so that there are choices to count."""
        return self.filtered or self.selection is not Selection.OBLIVIOUS

    def choices(self, n: int) -> int:
        """Return how many outcomes the round may have had.

        Which indices passed a filter depends on the examples, so a selection of any other kind
        within them is a mere sequence in the whole sample, of any length up to the size.
        """
        if self.filtered:
            # The sum of n**length over the lengths from 0 to the size.
            return self.size + 1 if n == 1 else (n ** (self.size + 1) - 1) // (n - 1)
        return self.selection.count(n, self.size)


@dataclass(frozen=True)
class AnsweredRound:
    """A round in which a statistic of the whole sample was answered by a few bits.

    Attributes
    ----------
    answer
        From 0 to ``2**bits - 1``.
    bits
        The length of the answer, at least 1.
    """

    answer: int
    bits: int

    @property
    def size(self) -> int:
        """How many examples were kept: none."""
        return 0

    def choices(self, n: int) -> int:  # noqa: ARG002  # as for a round that keeps examples
        """Return the number of possible answers."""
        return 1 << self.bits


@dataclass(frozen=True)
class UnansweredRound:
    """A round that was charged before the sample was looked at, and whose answer was never told.

    The process ended in between, or the question failed on the sample: see
    :attr:`SessionTranscript.failed`.

    Attributes
    ----------
    size, bits
        What was charged, in examples and in bits.
    selection
        Of the scheme; ``None`` for a query.
    filtered
        Whether the scheme was to see a part of the sample only.
    """

    size: int
    bits: int
    selection: Selection | None = None
    filtered: bool = False

    @property
    def looks_at_the_examples(self) -> bool:
        """As for the round that was to be."""
        return self.filtered or self.selection not in (None, Selection.OBLIVIOUS)

    def choices(self, n: int) -> int:
        """Return how many outcomes the round might have had."""
        if self.selection is None:
            return 1 << self.bits
        return KeptRound((), Sample([], []), self.size, self.selection, self.filtered).choices(n)


Round: TypeAlias = KeptRound | AnsweredRound | UnansweredRound


@dataclass(frozen=True, repr=False)
class SessionTranscript(Reported):
    """All that a session has told of its sample, and the terms that it was begun on. Immutable.

    Parameters
    ----------
    n
        Sample size, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.
    budget
        How many examples may be kept in all rounds together, or ``None`` for no limit.
    bits
        With a budget: how many bits may be told besides.
    rounds
        What was told.
    closed
        Whether the session takes no more questions.
    tested
        Whether the examples that were not kept have answered the one test that a closed session
        may make of them; that is charged as well, see :attr:`choices`.
    failed
        Whether a question failed on the sample. That it did is an answer which is no choice among
        those that are counted; so there is no bound from then on.

    Raises
    ------
    InvalidInput
        A parameter is out of range, the rounds exceed the budget, or they keep so many examples
        that their choices cannot be counted. Or an open session was tested, or has failed.
    """

    _face: ClassVar[str] = "pac_stability.compression.session:transcript_face"

    n: int
    delta: Fraction
    budget: int | None = None
    bits: int = 0
    rounds: tuple[Round, ...] = ()
    closed: bool = False
    tested: bool = False
    failed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))
        object.__setattr__(self, "delta", as_open_unit(self.delta, "delta"))
        object.__setattr__(self, "bits", as_size(self.bits, "bits"))
        most = self.used_bits + self.n.bit_length() * sum(
            round_.size
            for round_ in self.rounds
            if not isinstance(round_, AnsweredRound) and round_.looks_at_the_examples
        )
        if (self.tested or self.failed) and not self.closed:
            raise InvalidInput("closed", "an open session that was tested, or failed", "True")
        if most > _MOST_BITS:
            given = f"up to 2**({in_words(most)}) choices"
            raise InvalidInput("rounds", given, f"at most 2**({_MOST_BITS})")
        if self.budget is None:
            if self.bits:
                raise InvalidInput("bits", str(self.bits), "0 where there is no budget to exceed")
            return
        object.__setattr__(self, "budget", as_size(self.budget, "budget", least=1))
        if self.used > self.budget or self.used_bits > self.bits:
            given = f"{self.used} examples and {self.used_bits} bits"
            raise InvalidInput("rounds", given, f"at most {self.budget} and {self.bits}")

    @property
    def used(self) -> int:
        """What the rounds have been charged, in examples."""
        return sum(round_.size for round_ in self.rounds)

    @property
    def used_bits(self) -> int:
        """What the rounds have been charged besides, in bits."""
        return sum(round_.bits for round_ in self.rounds)

    @property
    def kept(self) -> Sample[Hashable]:
        """The kept examples of all rounds, one round after the other (the T of the proof)."""
        return Sample.from_examples(
            example
            for round_ in self.rounds
            if isinstance(round_, KeptRound)
            for example in round_.kept
        )

    @property
    def kept_indices(self) -> frozenset[int]:
        """The indices of the sample that are in some round."""
        return frozenset(
            index
            for round_ in self.rounds
            if isinstance(round_, KeptRound)
            for index in round_.indices
        )

    @property
    def choices(self) -> int:
        """N: how many transcripts there are, as the rounds came.

        The mean of a test over m examples that were not kept is one of m + 1 numbers.
        """
        means = self.n - len(self.kept_indices) + 1 if self.tested else 1
        return math.prod((round_.choices(self.n) for round_ in self.rounds), start=means)

    @property
    def usual_bound(self) -> BoundKind:
        """``"hoeffding"`` with a budget, ``"anytime"`` without."""
        return "anytime" if self.budget is None else "hoeffding"

    def with_round(self, round_: Round) -> SessionTranscript:
        """Return this transcript with one round more."""
        return replace(self, rounds=(*self.rounds, round_))

    def bound(self, kind: BoundKind | None = None) -> bounds.DeviationBound:
        """State how far a test can deviate that is named by whoever has seen this transcript.

        For every distribution and every analyst: if the analyst stops here, by a rule that looks at
        the transcript alone, and then names a test h, ``|h(S) - h(D)|`` is at most the bound except
        with probability delta over the sample and all coins.

        Parameters
        ----------
        kind
            ``"hoeffding"``: a union bound over the N = :attr:`choices` transcripts.

            ``"split"``: the same for Definition 5 read literally, see
            :class:`~pac_stability.compression.bounds.UnionBound`.

            ``"anytime"``: the same for all rounds at once. Tests may be named after every round,
            and with probability 1 - delta none of them deviates by more than its own bound.

            ``"oblivious"``: the same, where no round looked at the examples, and N is 1.

            ``"paper"``: Lemma 17 for the examples charged, as in Theorem 19.

            By default :attr:`usual_bound`.

        Raises
        ------
        InvalidInput
            The bound does not hold for these rounds, or a question has failed.

        Notes
        -----
        An example that is kept twice counts once against the examples that are fresh, and twice in
        N. The number of choices may differ from round to round, as what was kept suggests:
        :class:`~pac_stability.compression.bounds.UnionBound` says why.
        """
        chosen = self.usual_bound if kind is None else kind
        if chosen not in get_args(BoundKind):
            wanted = ", ".join(map(repr, get_args(BoundKind)))
            raise InvalidInput("kind", repr(chosen), f"one of {wanted}")
        self._require_no_failure()
        match chosen:
            case "hoeffding":
                return self._union(self.delta, "joint")
            case "split":
                return self._union(self.delta, "split")
            case "anytime":
                if not self.rounds:
                    raise InvalidInput("kind", "'anytime' before the first round", "'hoeffding'")
                return self._union(bounds.anytime_delta(self.delta, len(self.rounds)), "joint")
            case "oblivious":
                if self.choices > 1:
                    given = f"'oblivious' for {in_words(self.choices)} choices"
                    raise InvalidInput("kind", given, "rounds that do not look at the examples")
                return self._union(self.delta, "joint")
            case "paper":
                if self.used_bits or self.tested:
                    told = "a test" if self.tested else f"{self.used_bits} bits"
                    given = f"'paper' for {told} besides the kept examples"
                    raise InvalidInput("kind", given, "'hoeffding', which counts them")
                return bounds.Lemma17(self.n, self.used, self.delta)

    def promise(self, reading: bounds.Reading = "joint") -> bounds.HoeffdingBound:
        """Return the bound that all rounds within the budget keep to, known before the first.

        It is about tests that are named before :attr:`tested`.

        Raises
        ------
        InvalidInput
            There is no budget, or a question has failed.
        """
        self._require_no_failure()
        if self.budget is None:
            raise InvalidInput("budget", "none", "a budget, which is what a promise is about")
        return bounds.HoeffdingBound(
            self.n, self.budget, self.delta, bits=self.bits, reading=reading
        )

    def _require_no_failure(self) -> None:
        if self.failed:
            raise InvalidInput(
                "session", "a question that failed on the sample", "an answer to every question"
            )

    def _union(self, delta: Fraction, reading: bounds.Reading) -> bounds.UnionBound:
        return bounds.UnionBound(self.n, len(self.kept_indices), delta, self.choices, reading)
