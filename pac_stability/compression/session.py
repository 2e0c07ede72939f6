"""Adaptive sessions (CLNRW16, Theorem 19): schemes run one after another on one sample.

A question is a scheme, or a statistic of the sample; a failure on the sample reveals one bit, and
no more. The transcript alone reproduces all answers without the sample, which is the proof of the
theorem as a program.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, repeat
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import ClassVar, Generic, Literal, TypeAlias, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from pac_stability._report import Face, Reported, aligned, html_table, latex_table
from pac_stability.arguments import as_size, described, require_instance
from pac_stability.classes import Hypothesis
from pac_stability.compression import bounds
from pac_stability.compression.scheme import CompressionScheme, H_co, Selection, subsample
from pac_stability.compression.transcript import (
    AnsweredRound,
    BoundKind,
    KeptRound,
    Round,
    SessionTranscript,
    UnansweredRound,
    load_transcript,
    save_transcript,
)
from pac_stability.data import Example, Sample
from pac_stability.data.sample import first_of, gathered, numbered, numbers_of
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.keeping.writing import remove_leftovers
from pac_stability.mechanisms.draws import as_function
from pac_stability.randomness import SYSTEM_COINS, Coins

O_co = TypeVar("O_co", covariant=True)

Relabelling: TypeAlias = Callable[[Example[Hashable]], Example[Hashable]]
"""What a scheme sees in place of an example: a function of the example, which tosses no coins."""

Filter: TypeAlias = Callable[[Example[Hashable]], bool]
"""Whether a scheme sees an example at all."""

_PLAIN = frozenset([int, bool, str, bytes])
_WRITTEN = _PLAIN | {float}


@dataclass(frozen=True)
class Task(Generic[H_co]):
    """A scheme, and the view of the sample that it is run on.

    Parameters
    ----------
    scheme
        A scheme that compresses every sample.
    relabel
        A function of an example: what the scheme sees instead of it.
    where
        A filter: which examples the scheme sees; by default all.

    Raises
    ------
    InvalidInput
        It is not a scheme, or it compresses only realizable samples: its refusal would reveal more
        about the sample than the kept examples do. Or the view or the filter is not a function.
    """

    scheme: CompressionScheme[H_co]
    relabel: Relabelling | None = None
    where: Filter | None = None

    def __post_init__(self) -> None:
        require_instance(self.scheme, CompressionScheme, "scheme")
        if not self.scheme.agnostic:
            given = f"{type(self.scheme).__name__}, for realizable samples only"
            raise InvalidInput("scheme", given, "an agnostic scheme")
        for function, name in ((self.relabel, "relabel"), (self.where, "where")):
            if function is not None:
                as_function(function, name)

    def charge(self, n: int) -> int:
        """Return the charge in examples for n: the size, or the largest size under a filter."""
        if self.where is None:
            return as_size(self.scheme.size(n), "scheme", least=1)
        return max(as_size(self.scheme.size(m), "scheme", least=1) for m in range(1, n + 1))

    def seen(self, example: Example[Hashable]) -> Example[Hashable]:
        """Return the example that the scheme sees instead of a given one."""
        if self.relabel is None:
            return example
        shown = self.relabel(example)
        require_instance(shown, Example, "relabel")
        return shown

    def view(self, sample: Sample[Hashable]) -> tuple[Sequence[int], Sample[Hashable]]:
        """Return the examples of a sample that pass the filter, and what the scheme sees instead.

        It calls both functions once for each distinct example, of which a large table has few.
        """
        codes, size = _told_apart(sample)
        first = first_of(codes, size)
        met = [code for code in np.argsort(first).tolist() if first[code] < len(sample)]
        asked = {code: sample[int(first[code])] for code in met}
        places: Sequence[int] = range(len(sample))
        if (where := self.where) is not None:
            asked = {code: example for code, example in asked.items() if where(example)}
            left = np.zeros(size, dtype=np.bool_)
            left[[*asked]] = True
            places = tuple(np.flatnonzero(left[codes]).tolist())
            codes = codes[left[codes]]
        rank = np.zeros(size, dtype=np.int64)
        rank[[*asked]] = np.arange(len(asked))
        return places, gathered([*map(self.seen, asked.values())], rank[codes])

    def rebuild(self, kept: Sample[Hashable]) -> H_co | None:
        """Return the hypothesis of the kept examples; ``None`` if the filter left no example."""
        if not len(kept):
            return None
        return self.scheme.reconstruct(Sample.from_examples(map(self.seen, kept)))


def _told_apart(sample: Sample[Hashable]) -> tuple[npt.NDArray[np.int64], int]:
    """Return a code for each example: one for those that no function of examples tells apart.

    And a number above all codes. Equal points may be written apart, as 1 and 1.0 are, or 0.0 and
    -0.0: what is no plain value, or a row of such, is the same as itself alone.
    """
    points, kinds = sample.points, set(map(type, sample.points))
    if len(kinds) == 1 and kinds <= _PLAIN:
        known = numbered(sample)
        return known.codes, len(known.first)
    if kinds == {tuple}:
        kinds = set(map(type, chain.from_iterable(cast("tuple[tuple[object, ...], ...]", points))))
    keys: Iterable[Hashable] = map(id, points)
    if kinds <= _WRITTEN:
        keys = map(marshal.dumps, cast("tuple[str, ...]", points), repeat(2))
    distinct, numbers = numbers_of(tuple(keys))
    return 2 * numbers + np.array(sample.labels, dtype=np.int64), 2 * len(distinct)


@dataclass(frozen=True)
class Query:
    """A statistic of the whole sample, answered by a few bits.

    Parameters
    ----------
    statistic
        A function of the sample to integers from 0 to ``2**bits - 1``; it may toss coins.
    bits
        At least 1.

    Raises
    ------
    InvalidInput
        The statistic is not a function, or ``bits`` is not such an integer.
    """

    statistic: Callable[[Sample[Hashable]], int]
    bits: int = 1

    def __post_init__(self) -> None:
        as_function(self.statistic, "statistic")
        object.__setattr__(self, "bits", as_size(self.bits, "bits", least=1))


@dataclass(frozen=True)
class Answer(Generic[O_co]):
    """The part of a round that an analyst sees.

    Attributes
    ----------
    output
        The hypothesis (``None`` if a filter left no example), or the answer of a query.
    round
        Its record in the transcript.
    bound
        The guarantee for an analyst who stops here.
    """

    output: O_co
    round: Round
    bound: bounds.DeviationBound


Analyst: TypeAlias = Callable[[tuple[Answer[object], ...]], Task[Hypothesis] | Query | None]
"""What decides, from the answers so far, what to ask next; ``None`` ends it.

Its coins are its own: to be replayed, it must toss the same ones again.
"""


# Looking at the sample

T = TypeVar("T")


def looked(look: Callable[[], T], argument: str, wanted: str) -> T:
    """Run code that reads the sample, and replace its exceptions.

    Parameters
    ----------
    look
        Calls functions of the analyst on examples of the sample.
    argument, wanted
        For the message: the question and its requirement.

    Raises
    ------
    InvalidInput
        It raised. The code failed. Neither the message nor ``__cause__`` nor ``__context__`` tells
        how or where, since any of these may reveal examples.
    KeyboardInterrupt
        It was interrupted; this too is a new exception, for the same reason.

    Examples
    --------
    >>> def tell():
    ...     raise ValueError("the labels are 0, 1, 1")
    >>> looked(tell, "statistic", "an answer for every sample")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: statistic: got a failure on the sample (details could \
reveal examples), want an answer for every sample
    """
    try:
        return look()
    except KeyboardInterrupt:
        interrupted = True
    except BaseException:  # SystemExit, too, can carry what was seen
        interrupted = False
    # Raised here and not above, where it would have the other exception as its context.
    if interrupted:
        raise KeyboardInterrupt
    raise InvalidInput(argument, "a failure on the sample (details could reveal examples)", wanted)


# A session without its sample


def replay(
    transcript: SessionTranscript, analyst: Analyst
) -> tuple[Answer[Hypothesis | int | None], ...]:
    """Return all answers of a session, rebuilt from the kept examples, without the sample.

    Parameters
    ----------
    transcript
        Of the session.
    analyst
        The analyst of the session, with the same coins if it tosses any. If the session was run by
        hand, an analyst that asks the same questions.

    Returns
    -------
    tuple of Answer
        The answers, equal to those of the session.

    Raises
    ------
    InvalidInput
        The analyst's questions differ from those in the transcript.

    Notes
    -----
    This is the proof of CLNRW16, Theorem 19, as a program.
    """
    require_instance(transcript, SessionTranscript, "transcript")
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


# The session

H = TypeVar("H", bound=Hypothesis)
O = TypeVar("O")  # noqa: E741  # an outcome

_UNORDERED = (Selection.MULTISET, Selection.SUBSET)
_DISTINCT = (Selection.DISTINCT, Selection.SUBSET)


class AdaptiveSession(Reported):
    """Compression schemes run one after another on one sample, each chosen by earlier answers.

    The session records everything that it reveals about the sample in a :class:`SessionTranscript`:
    the kept examples. These alone rebuild every hypothesis (:func:`replay`), and so no analyst can
    overfit: every result comes from one of few choices of a few examples.

    Parameters
    ----------
    sample
        The n examples, at least 1, drawn independently from one distribution.
    delta
        The probability of failure allowed, above 0 and below 1.
    budget
        The most examples to keep in all rounds together. Without one, every round uses the bound
        for all rounds at once.
    bits
        With a budget: the most further bits to reveal, by queries and filters.
    path
        A new file that records the session. It has the charge of a question before the session
        reads the sample, and the answer before it is returned. So whenever the process ends,
        :meth:`load` finds everything that was revealed.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the file exists.

    Notes
    -----
    The session charges every access to the sample before it happens. It refuses a question that
    exceeds the budget, and changes nothing. A question that *fails on the sample* (its function
    raises, or its answer is out of range) ends the session: the failure is an answer that no bound
    counts, so the session is closed and has no bound any more. Try functions on made-up data first.
    The exception raised instead reveals no examples, neither in its message nor as its cause. The
    frames of its traceback and the session itself do, to code that inspects them.

    Relabellings, filters and statistics run on examples that are not kept. If they write them
    elsewhere, take data-dependent time or end the process, they reveal more about the sample than
    the session counts. The session also trusts a scheme that declares its selection oblivious; it
    checks, or enforces, every other kind.

    The library cannot prevent a second session on the same sample, an older copy of the file, or
    continuing in two processes; their answers together have no bound.

    Answers of differentially private mechanisms cannot be added to a session: they are not one of a
    few choices, and their guarantee is not a union bound.

    Source: CLNRW16 Theorem 19.

    Examples
    --------
    >>> from pac_stability.compression import ThresholdScheme
    >>> S = Sample([2, 1, 1, 2], [1, 1, 0, 1])
    >>> session = AdaptiveSession(S, Fraction(1, 20), budget=2)
    >>> first = session.ask(ThresholdScheme())
    >>> first.output, session.transcript.kept
    (Threshold(cut=1, upward=True), Sample(points=(1,), labels=(1,)))
    >>> flipped = session.ask(ThresholdScheme(), relabel=lambda z: Example(z.point, 1 - z.label))
    >>> session.ask(ThresholdScheme())
    Traceback (most recent call last):
        ...
    pac_stability.errors.BudgetExhausted: the scheme keeps 1 of the examples, and 0 of the budget \
of 2 are left
    """

    _face: ClassVar[str] = "pac_stability.compression.session:session_face"

    def __init__(
        self,
        sample: Sample[Hashable],
        delta: Fraction,
        budget: int | None = None,
        bits: int = 0,
        *,
        path: str | PathLike[str] | None = None,
    ) -> None:
        if not isinstance(sample, Sample):
            raise InvalidInput("sample", f"a value of type {type(sample).__name__}", "a Sample")
        if not len(sample):
            raise InvalidInput("sample", "no examples", "at least one")
        if path is not None and Path(path).exists():
            raise InvalidInput(str(path), "a file that is there", "a new one, or load() to go on")
        self._sample = sample
        self._path: str | PathLike[str] | None = None
        self._transcript = SessionTranscript(len(sample), delta, budget, bits)
        self._saved: SessionTranscript | None = None  # what the file says
        if path is not None:
            self._path = path
            self._write()

    @classmethod
    def resume(cls, sample: Sample[Hashable], transcript: SessionTranscript) -> AdaptiveSession:
        """Continue where a transcript ends.

        Parameters
        ----------
        sample
            The sample of the transcript.
        transcript
            The transcript of a session, or one read from a file.

        Raises
        ------
        InvalidInput
            The sample has another size, or another example at a kept index.

        Notes
        -----
        It does not detect another sample that agrees in size and at the kept indices. A digest of
        the sample would detect it, but reveal information that no bound counts.
        """
        require_instance(transcript, SessionTranscript, "transcript")
        session = cls(sample, transcript.delta)
        if len(sample) != transcript.n:
            raise InvalidInput("sample", f"{len(sample)} examples", f"{transcript.n}")
        for number, round_ in enumerate(transcript.rounds, start=1):
            if isinstance(round_, KeptRound):
                for index, example in zip(round_.indices, round_.kept, strict=True):
                    if sample[index] != example:
                        given = f"another example at the index {index}, kept in round {number}"
                        raise InvalidInput("sample", given, "the sample of the transcript")
        session._transcript = transcript
        return session

    @classmethod
    def load(
        cls, sample: Sample[Hashable], path: str | PathLike[str], *, keep: bool = False
    ) -> AdaptiveSession:
        """Continue where a file of :meth:`save` ends; see :meth:`resume`.

        Parameters
        ----------
        sample
            The sample of the transcript.
        path
            The file.
        keep
            Whether the file records the session from now on, like a file given at the start.
        """
        session = cls.resume(sample, load_transcript(path))
        if keep:
            remove_leftovers(path)
            session._path, session._saved = path, session._transcript
        return session

    def save(self, path: str | PathLike[str]) -> None:
        """Write the transcript as JSON, whole or not at all.

        Raises
        ------
        InvalidInput
            A point has no JSON form, or the file cannot be written.
        """
        save_transcript(self._transcript, path)

    @property
    def transcript(self) -> SessionTranscript:
        """Everything that was revealed about the sample."""
        return self._transcript

    @overload
    def ask(
        self,
        scheme: CompressionScheme[H],
        *,
        relabel: Relabelling | None = None,
        where: None = None,
        rng: Coins = SYSTEM_COINS,
    ) -> Answer[H]: ...
    @overload
    def ask(
        self,
        scheme: CompressionScheme[H],
        *,
        relabel: Relabelling | None = None,
        where: Filter,
        rng: Coins = SYSTEM_COINS,
    ) -> Answer[H | None]: ...
    def ask(
        self,
        scheme: CompressionScheme[H],
        *,
        relabel: Relabelling | None = None,
        where: Filter | None = None,
        rng: Coins = SYSTEM_COINS,
    ) -> Answer[H | None]:
        """Compress the sample, or a view of it, and return the rebuilt hypothesis.

        Parameters
        ----------
        scheme
            The scheme, chosen by the answers so far.
        relabel
            The view, chosen likewise: a function of an example, which the scheme sees instead. The
            transcript keeps the original example.
        where
            The filter, chosen likewise: which examples the scheme sees. It costs one further bit,
            for the number that pass, and the largest size of the scheme for any such number.
        rng
            The coins of the scheme.

        Raises
        ------
        BudgetExhausted
            The question costs more than is left.
        InvalidInput
            The session is closed, or the scheme is not agnostic. Or the question fails on the
            sample, which closes the session; for example a scheme breaks its declared selection.
        """
        return self._alone(lambda: self._keep(Task(scheme, relabel, where), rng))

    def query(self, statistic: Callable[[Sample[Hashable]], int], bits: int = 1) -> Answer[int]:
        """Answer a statistic of the whole sample, at the cost of its bits.

        Parameters
        ----------
        statistic
            A function of the sample to integers from 0 to ``2**bits - 1``.
        bits
            At least 1.

        Raises
        ------
        BudgetExhausted
            Fewer bits are left.
        InvalidInput
            The session is closed; or the statistic fails or is out of its range, which closes it.
        """
        return self._alone(lambda: self._answer(Query(statistic, bits)))

    def run(
        self, analyst: Analyst, rng: Coins = SYSTEM_COINS
    ) -> tuple[Answer[Hypothesis | int | None], ...]:
        """Let an analyst ask until it stops; earlier rounds are replayed.

        Parameters
        ----------
        analyst
            A function from the answers so far to the next question.
        rng
            The coins of the schemes.

        Returns
        -------
        tuple of Answer
            Of all rounds.

        Raises
        ------
        BudgetExhausted, InvalidInput
            As for :meth:`ask`, :meth:`query` and :func:`replay`. The rounds before it remain valid.
        """
        answers = replay(self._transcript, analyst)
        while (asked := analyst(answers)) is not None:
            answer: Answer[Hypothesis | int | None]
            if isinstance(asked, Query):
                answer = self._alone(partial(self._answer, asked))
            elif isinstance(asked, Task):
                answer = self._alone(partial(self._keep, asked, rng))
            else:
                raise InvalidInput("analyst", described(asked), "a Task, a Query or None")
            answers = (*answers, answer)
        return answers

    def close(self) -> None:
        """Take no more questions."""
        self._alone(lambda: self._become(replace(self._transcript, closed=True)))

    @overload
    def bound(self, kind: BoundKind | None = None) -> bounds.DeviationBound: ...
    @overload
    def bound(
        self, kind: Literal["empirical"], test: Callable[[Example[Hashable]], int]
    ) -> bounds.Lemma16: ...
    def bound(
        self,
        kind: BoundKind | Literal["empirical"] | None = None,
        test: Callable[[Example[Hashable]], int] | None = None,
    ) -> bounds.DeviationBound:
        """Bound the deviation of a test that an analyst names after stopping here.

        Parameters
        ----------
        kind
            As for :meth:`SessionTranscript.bound`; or ``"empirical"``, Lemma 16 for one test.
        test
            For ``"empirical"``: a test of examples, chosen by the transcript alone. A session can
            answer one such test; the other bounds count its answer from then on.

        Returns
        -------
        DeviationBound
            For ``"empirical"`` a :class:`~pac_stability.compression.bounds.Lemma16`: its ``mean``
            is h(V), over the examples that no round has kept, and h(D) is within its value of that.

        Raises
        ------
        InvalidInput
            The bound does not hold for these rounds, or a question has failed. Or it is
            ``"empirical"`` and the session is still open (h(V) reveals more than the transcript) or
            has already answered a test; or the test fails on an example, after which there is no
            bound.
        """
        if kind != "empirical":
            if test is not None:
                raise InvalidInput("test", "a test", "none, except for 'empirical'")
            return self._transcript.bound(kind)
        if test is None:
            raise InvalidInput("test", "none", "the test whose mean is to be bounded")
        return self._alone(partial(self._tested, test))

    def _tested(self, test: Callable[[Example[Hashable]], int]) -> bounds.Lemma16:
        transcript = self._transcript
        if not transcript.closed:
            raise InvalidInput("kind", "'empirical' in an open session", "a session after close()")
        if transcript.used_bits:
            given = f"'empirical' for {transcript.used_bits} bits besides the kept examples"
            raise InvalidInput("kind", given, "rounds of kept examples only")
        if transcript.tested or transcript.failed:
            given = "'empirical' in a session that has " + ("failed" if transcript.failed else "it")
            raise InvalidInput("kind", given, "one test for a session that has not failed")
        as_function(test, "test")
        if len(transcript.kept_indices) == transcript.n:
            raise InvalidInput("kind", "'empirical' with every example kept", "one that was not")
        self._become(replace(transcript, tested=True))
        mean = self._looked(
            lambda: bounds.unselected_mean(self._sample, transcript.kept_indices, test),
            ("test", "0 or 1 for every example"),
        )
        return bounds.Lemma16(transcript.n, transcript.used, transcript.delta, mean)

    def promise(self, reading: bounds.Reading = "joint") -> bounds.HoeffdingBound:
        """Return the bound that holds for all rounds within the budget; see the transcript's."""
        return self._transcript.promise(reading)

    def _keep(self, task: Task[H], rng: Coins) -> Answer[H | None]:
        n, scheme, filtered = self._transcript.n, task.scheme, task.where is not None
        charge = task.charge(n)
        before = self._charge(UnansweredRound(charge, int(filtered), scheme.selection, filtered))

        def look() -> tuple[H | None, KeptRound]:
            places: Sequence[int] = range(n)
            view = self._sample
            if filtered or task.relabel is not None:
                places, view = task.view(self._sample)
            indices: tuple[int, ...] = ()
            if places:
                named = scheme.compress(view, rng)
                _require_selection(named, scheme, len(places))
                indices = tuple(places[index] for index in named)
                if scheme.selection in _UNORDERED and not filtered:
                    indices = tuple(sorted(indices))  # an order that would tell something is lost
            kept = subsample(self._sample, indices)
            return task.rebuild(kept), KeptRound(indices, kept, charge, scheme.selection, filtered)

        wanted = "a scheme, and views of examples, that fail on no sample"
        return self._answered(before, *self._looked(look, (type(scheme).__name__, wanted)))

    def _answer(self, query: Query) -> Answer[int]:
        before = self._charge(UnansweredRound(0, query.bits))

        def look() -> int:
            answer = int(as_size(query.statistic(self._sample), "statistic"))
            if answer >> query.bits:
                raise InvalidInput("statistic", str(answer), f"an answer below 2**{query.bits}")
            return answer

        wanted = f"an integer from 0 to 2**{query.bits} - 1, whatever the sample"
        answer = self._looked(look, ("statistic", wanted))
        return self._answered(before, answer, AnsweredRound(answer, query.bits))

    def _alone(self, ask: Callable[[], T]) -> T:
        """Ask while nobody else does: who handles a signal in between would not be charged."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code is _ALONE and frame.f_locals.get("self") is self:
                raise InvalidInput("session", "a question within a question", "one at a time")
            frame = frame.f_back
        return ask()

    def _charge(self, pending: UnansweredRound) -> SessionTranscript:
        """Charge a round before the sample is looked at, and return the transcript before it."""
        before = self._transcript
        self._require_left(pending.size, pending.bits)
        self._become(before.with_round(pending))
        return before

    def _looked(self, look: Callable[[], T], asked: tuple[str, str]) -> T:
        """Look at the sample; if that fails, or is interrupted, the session is over."""
        known = self._transcript
        self._transcript = replace(known, closed=True, failed=True)  # until it is known how it went
        try:
            found = looked(look, *asked)
        except BaseException:
            self._write()
            raise
        self._transcript = known
        return found

    def _answered(self, before: SessionTranscript, output: O, round_: Round) -> Answer[O]:
        longer = before.with_round(round_)
        answer = Answer(output, round_, longer.bound())
        self._become(longer)
        return answer

    def _become(self, transcript: SessionTranscript) -> None:
        self._transcript = transcript  # first: what cannot be written is charged all the same
        self._write()

    def _write(self) -> None:
        """Bring the file up to date, should it be behind."""
        if self._path is not None and self._saved is not self._transcript:
            known = self._transcript
            save_transcript(known, self._path)
            self._saved = known

    def _require_left(self, examples: int, bits: int) -> None:
        transcript = self._transcript
        if transcript.closed:
            self._write()
            raise InvalidInput("session", "a question after close()", "an open session")
        if transcript.budget is None:
            return
        if examples > (left := transcript.budget - transcript.used):
            raise BudgetExhausted(
                f"the scheme keeps {examples} of the examples, and {left} of the budget of "
                f"{transcript.budget} are left"
            )
        if bits > (left := transcript.bits - transcript.used_bits):
            raise BudgetExhausted(
                f"the question takes {bits} bits, and {left} of the {transcript.bits} are left"
            )


_ALONE = AdaptiveSession._alone.__code__


def _require_selection(
    named: tuple[int, ...], scheme: CompressionScheme[Hypothesis], n: int
) -> None:
    """Refuse indices that are not such as the scheme says it names."""
    if len(named) != scheme.size(n):
        given = f"{len(named)} indices from {type(scheme).__name__}"
        raise InvalidInput("scheme", given, f"{scheme.size(n)}, its size for {n} examples")
    for index in named:
        if as_size(index, "scheme") >= n:
            given = f"the index {index} from {type(scheme).__name__}"
            raise InvalidInput("scheme", given, f"indices below {n}")
    if scheme.selection in _DISTINCT and len(set(named)) < len(named):
        given = f"an index twice from {type(scheme).__name__}"
        raise InvalidInput("scheme", given, "distinct indices, as its selection declares")


# How a session, its transcript and a bound look

_HEAD = ("round", "what was told", "examples", "bits")


def bound_face(bound: bounds.DeviationBound) -> Face:
    """Return a bound in a line, and as a table."""
    value, chosen = f"{float(bound.value()):.4g}", bound.chosen
    rows = [("epsilon", bound.formula), ("value", value), *chosen.items()]
    at = ", ".join(f"{name} = {told}" for name, told in chosen.items())
    return Face(
        lambda: f"{bound.formula} = {value} at {at}",
        html=lambda: html_table(rows),
        latex=lambda: latex_table(rows, ("parameter", "value")),
    )


def session_face(session: AdaptiveSession) -> Face:
    """Return the transcript of a session so far, for display."""
    return transcript_face(session.transcript)


def transcript_face(transcript: SessionTranscript) -> Face:
    """Return the rounds of a session."""
    rows = [
        (str(number), _told(played), str(played.size), str(played.bits))
        for number, played in enumerate(transcript.rounds, start=1)
    ]
    left = "" if transcript.budget is None else f" of {transcript.budget}"
    bits = f" and {transcript.used_bits} of {transcript.bits} bits" if transcript.bits else ""
    state = "closed" if transcript.closed else "open"
    head = (
        f"an adaptive session on {transcript.n:,} examples, {state}: "
        f"{transcript.used}{left} examples{bits} were told"
    )
    return Face(
        lambda: f"{head}\n" + (f"\n{aligned([_HEAD, *rows])}" if rows else ""),
        html=lambda: f"<p>{head}</p>\n{html_table(rows, _HEAD)}",
    )


def _told(played: Round) -> str:
    if isinstance(played, KeptRound):
        kept = ", ".join(f"({z.point!r}, {z.label})" for z in played.kept)
        return f"kept {kept}" if kept else "kept nothing"
    answer = getattr(played, "answer", None)
    return "no answer" if answer is None else f"answered {answer}"
