"""What an adaptive session revealed about its sample, round by round, and what follows from it.

Transcripts of adaptive sessions as JSON files.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields as fields_of, replace
from fractions import Fraction
from os import PathLike
from typing import ClassVar, Literal, TypeAlias, TypeVar, get_args

from pac_stability._report import Reported
from pac_stability.arguments import as_fraction, as_open_unit, as_size, described, in_words
from pac_stability.compression import bounds, scheme
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.reading import read_json

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
        Their indices in the sample.
    kept
        The examples of the sample, in the same order.
    size
        The most that the scheme may have kept, which is charged.
    selection
        The kind of selection.
    filtered
        Whether the scheme saw only a part of the sample and kept as many as that part allowed.
    """

    indices: tuple[int, ...]
    kept: Sample[Hashable]
    size: int
    selection: scheme.Selection = scheme.Selection.SEQUENCE
    filtered: bool = False

    @property
    def bits(self) -> int:
        """1 for a filtered round, which has at most ``2 n**size`` outcomes for n >= 2."""
        return int(self.filtered)

    @property
    def looks_at_the_examples(self) -> bool:
        """Whether the indices may depend on the examples, so that the bound counts choices."""
        return self.filtered or self.selection is not scheme.Selection.OBLIVIOUS

    def choices(self, n: int) -> int:
        """Return how many outcomes the round may have had.

        The indices that pass a filter depend on the examples, so a selection of any kind within
        them is only a sequence in the whole sample, of any length up to the size.
        """
        if self.filtered:
            # The sum of n**length over the lengths from 0 to the size.
            return self.size + 1 if n == 1 else (n ** (self.size + 1) - 1) // (n - 1)
        return self.selection.count(n, self.size)


@dataclass(frozen=True)
class AnsweredRound:
    """A round that answered a statistic of the whole sample by a few bits.

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
        """The number of kept examples: none."""
        return 0

    def choices(self, n: int) -> int:  # noqa: ARG002  # as for a round that keeps examples
        """Return the number of possible answers."""
        return 1 << self.bits


@dataclass(frozen=True)
class UnansweredRound:
    """A round that was charged before the sample was read, but never answered.

    The process ended in between, or the question failed on the sample: see
    :attr:`SessionTranscript.failed`.

    Attributes
    ----------
    size, bits
        The charge, in examples and in bits.
    selection
        Of the scheme; ``None`` for a query.
    filtered
        Whether the scheme was to see only a part of the sample.
    """

    size: int
    bits: int
    selection: scheme.Selection | None = None
    filtered: bool = False

    @property
    def looks_at_the_examples(self) -> bool:
        """As for the intended round."""
        return self.filtered or self.selection not in (None, scheme.Selection.OBLIVIOUS)

    def choices(self, n: int) -> int:
        """Return how many outcomes the round might have had."""
        if self.selection is None:
            return 1 << self.bits
        return KeptRound((), Sample([], []), self.size, self.selection, self.filtered).choices(n)


Round: TypeAlias = KeptRound | AnsweredRound | UnansweredRound


@dataclass(frozen=True, repr=False)
class SessionTranscript(Reported):
    """Everything that a session has revealed about its sample, and its terms. Immutable.

    Parameters
    ----------
    n
        Sample size, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.
    budget
        How many examples may be kept in all rounds together, or ``None`` for no limit.
    bits
        With a budget: the most further bits to reveal.
    rounds
        What was told.
    closed
        Whether the session takes no more questions.
    tested
        Whether the unkept examples have answered the one test that a closed session allows; this is
        charged too, see :attr:`choices`.
    failed
        Whether a question failed on the sample. The failure is an answer that the bound does not
        count, so there is no bound from then on.

    Raises
    ------
    InvalidInput
        A parameter is out of range, the rounds exceed the budget, or their choices are too many to
        count. Or an open session was tested, or failed.
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
        """The total charge of the rounds, in examples."""
        return sum(round_.size for round_ in self.rounds)

    @property
    def used_bits(self) -> int:
        """The further charge of the rounds, in bits."""
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
        """N: the number of possible transcripts for these rounds.

        The mean of a test over m examples that were not kept is one of m + 1 numbers.
        """
        means = self.n - len(self.kept_indices) + 1 if self.tested else 1
        return math.prod((round_.choices(self.n) for round_ in self.rounds), start=means)

    @property
    def usual_bound(self) -> BoundKind:
        """``"hoeffding"`` with a budget, ``"anytime"`` without."""
        return "anytime" if self.budget is None else "hoeffding"

    def with_round(self, round_: Round) -> SessionTranscript:
        """Return this transcript with one more round."""
        return replace(self, rounds=(*self.rounds, round_))

    def bound(self, kind: BoundKind | None = None) -> bounds.DeviationBound:
        """Bound the deviation of a test that is chosen after seeing this transcript.

        For every distribution and every analyst: if the analyst stops here, by a rule that uses
        only the transcript, and then names a test h, ``|h(S) - h(D)|`` is at most the bound except
        with probability delta over the sample and all coins.

        Parameters
        ----------
        kind
            ``"hoeffding"``: a union bound over the N = :attr:`choices` transcripts.

            ``"split"``: the same for Definition 5 read literally, see
            :class:`~pac_stability.compression.bounds.UnionBound`.

            ``"anytime"``: the same for all rounds at once. The analyst may name tests after every
            round; with probability 1 - delta none of them deviates by more than its own bound.

            ``"oblivious"``: the same with N = 1, if no selection depended on the examples.

            ``"paper"``: Lemma 17 for the examples charged, as in Theorem 19.

            By default :attr:`usual_bound`.

        Raises
        ------
        InvalidInput
            The bound does not hold for these rounds, or a question has failed.

        Notes
        -----
        An example that is kept twice counts once against the fresh examples, and twice in N. The
        number of choices may differ from round to round, depending on the kept examples:
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
        """Return the bound for all rounds within the budget, known before the first.

        It is about tests that are named before the one of :attr:`tested`.

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


# Transcripts of adaptive sessions as JSON files

SCHEMA = "pac-stability/adaptive-session/1"

T = TypeVar("T")


def to_document(transcript: SessionTranscript) -> dict[str, object]:
    """Return a transcript as a dictionary that ``json.dumps`` accepts.

    Raises
    ------
    InvalidInput
        A point has no JSON form; :meth:`pac_stability.data.Sample.to_dict` tells which have one.

    Notes
    -----
    ``schema``; ``n``; ``delta`` as ``"p/q"``; ``budget``, an integer or ``null``; ``bits``;
    ``closed``, ``tested`` and ``failed``; and ``rounds``. A round of kept examples has their
    ``indices`` in the sample, the examples ``kept`` there, the ``size`` charged, the ``selection``
    and whether it was ``filtered``; a query has its ``answer`` and its ``bits``. A charged round
    without an answer has ``unanswered``, its ``size`` and ``bits``, ``selection`` (``null`` for a
    query) and ``filtered``. The document has no digest of the sample.

    Examples
    --------
    >>> from fractions import Fraction
    >>> to_document(SessionTranscript(10, Fraction(1, 20), rounds=(AnsweredRound(1, 1),)))["rounds"]
    [{'answer': 1, 'bits': 1}]
    """
    return {
        "schema": SCHEMA,
        "n": transcript.n,
        "delta": str(transcript.delta),
        "budget": transcript.budget,
        "bits": transcript.bits,
        "closed": transcript.closed,
        "tested": transcript.tested,
        "failed": transcript.failed,
        "rounds": [_round_form(round_) for round_ in transcript.rounds],
    }


def from_document(document: object, name: str = "document") -> SessionTranscript:
    """Return the transcript that :func:`to_document` wrote.

    Parameters
    ----------
    document
        The dictionary, possibly after a passage through JSON.
    name
        Its name in messages.

    Raises
    ------
    InvalidInput
        A field is missing, superfluous, of another kind or out of range.
    """
    wanted = ("schema", "n", "delta", "budget", "bits", "closed", "tested", "failed", "rounds")
    fields = _fields(document, wanted, name)
    if fields["schema"] != SCHEMA:
        raise InvalidInput(f"{name}: schema", described(fields["schema"]), repr(SCHEMA))
    n = as_size(_typed(fields["n"], int, f"{name}: n"), f"{name}: n", least=1)
    budget = fields["budget"]
    return SessionTranscript(
        n=n,
        delta=as_fraction(_typed(fields["delta"], str, f"{name}: delta"), f"{name}: delta"),
        budget=None if budget is None else _typed(budget, int, f"{name}: budget"),
        bits=_typed(fields["bits"], int, f"{name}: bits"),
        closed=_typed(fields["closed"], bool, f"{name}: closed"),
        tested=_typed(fields["tested"], bool, f"{name}: tested"),
        failed=_typed(fields["failed"], bool, f"{name}: failed"),
        rounds=tuple(
            _round(form, n, f"{name}: round {number}")
            for number, form in enumerate(
                _typed(fields["rounds"], list, f"{name}: rounds"), start=1
            )
        ),
    )


def save_transcript(transcript: SessionTranscript, path: str | PathLike[str]) -> None:
    """Write a transcript to a file, which appears whole or not at all.

    Parameters
    ----------
    transcript
        What is written.
    path
        The name of the file.

    Raises
    ------
    InvalidInput
        A point has no JSON form, or the file cannot be written; an existing one stays unchanged.

    Notes
    -----
    The file has one field more than :func:`to_document`: ``check``, a digest of the others, to
    detect damage. It does not protect against deliberate changes.
    """
    document = to_document(transcript)
    write_text(path, json.dumps({**document, "check": check_of(document)}, indent=1) + "\n")


def check_of(document: Mapping[str, object]) -> str:
    """Return the digest of a document that its file carries, as 64 hexadecimal digits."""
    plain = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def load_transcript(path: str | PathLike[str]) -> SessionTranscript:
    """Read a transcript from a file.

    Parameters
    ----------
    path
        The name of the file.

    Raises
    ------
    InvalidInput
        The file cannot be read, is not such a document, or was not written by
        :func:`save_transcript`. It stays unchanged: a damaged file does not show what was revealed,
        and a fresh start would forget it.
    """
    name = str(path)
    value = read_json(path, wanted="a transcript in JSON")
    if not isinstance(value, dict):
        return from_document(value, name)
    check = value.pop("check", None)
    transcript = from_document(value, name)
    if check != check_of(value):
        raise InvalidInput(f"{name}: check", "another digest", "a file that was not changed")
    return transcript


def _round_form(round_: Round) -> dict[str, object]:
    form = {each.name: getattr(round_, each.name) for each in fields_of(round_)}
    if isinstance(round_, KeptRound):
        form |= {"indices": list(round_.indices), "kept": round_.kept.to_dict()}
    elif isinstance(round_, UnansweredRound):
        form = {"unanswered": True, **form}
    selection = form.get("selection")
    return form | {"selection": selection.value} if selection else form


def _round(form: object, n: int, name: str) -> Round:
    if isinstance(form, dict) and "answer" in form:
        fields = _fields(form, ("answer", "bits"), name)
        answer = as_size(_typed(fields["answer"], int, name), f"{name}: answer")
        bits = as_size(_typed(fields["bits"], int, name), f"{name}: bits", least=1)
        if answer >> bits:
            raise InvalidInput(f"{name}: answer", str(answer), f"an answer below 2**{bits}")
        return AnsweredRound(answer, bits)
    if isinstance(form, dict) and "unanswered" in form:
        return _unanswered(form, name)
    fields = _fields(form, ("indices", "kept", "size", "selection", "filtered"), name)
    indices = tuple(
        _typed(index, int, f"{name}: indices")
        for index in _typed(fields["indices"], list, f"{name}: indices")
    )
    kept = Sample.from_dict(fields["kept"])
    size = as_size(_typed(fields["size"], int, f"{name}: size"), f"{name}: size", least=1)
    filtered = _typed(fields["filtered"], bool, f"{name}: filtered")
    selection = _selection(fields["selection"], name)
    if any(not 0 <= index < n for index in indices):
        raise InvalidInput(f"{name}: indices", described(indices), f"indices below {n}")
    if len(kept) != len(indices):
        raise InvalidInput(f"{name}: kept", f"{len(kept)} examples", f"{len(indices)}")
    if len(indices) > size or (len(indices) < size and not filtered):
        raise InvalidInput(f"{name}: indices", f"{len(indices)} of them", f"{size}, the size")
    return KeptRound(indices, kept, size, selection, filtered)


def _unanswered(form: object, name: str) -> UnansweredRound:
    fields = _fields(form, ("unanswered", "size", "bits", "selection", "filtered"), name)
    size = as_size(_typed(fields["size"], int, f"{name}: size"), f"{name}: size")
    bits = as_size(_typed(fields["bits"], int, f"{name}: bits"), f"{name}: bits")
    filtered = _typed(fields["filtered"], bool, f"{name}: filtered")
    named = fields["selection"]
    selection = None if named is None else _selection(named, name)
    # A query takes bits and no examples; a scheme takes examples, and a bit for a filter.
    sound = (bits and not size and not filtered) if named is None else size and bits == filtered
    if fields["unanswered"] is not True or not sound:
        given = f"size {size}, bits {bits}, selection {described(named)}, filtered {filtered}"
        raise InvalidInput(f"{name}: unanswered", given, "the charge of a round")
    return UnansweredRound(size, bits, selection, filtered)


def _selection(value: object, name: str) -> scheme.Selection:
    try:
        return scheme.Selection(value)
    except ValueError:
        wanted = ", ".join(repr(kind.value) for kind in scheme.Selection)
        raise InvalidInput(f"{name}: selection", described(value), wanted) from None


def _fields(value: object, wanted: tuple[str, ...], name: str) -> Mapping[str, object]:
    if not isinstance(value, dict) or set(value) != set(wanted):
        given = described(sorted(map(str, value)) if isinstance(value, dict) else value)
        raise InvalidInput(name, given, "an object with the keys " + ", ".join(wanted))
    return value


def _typed(value: object, kind: type[T], name: str) -> T:
    # JSON's true is an int to Python, and no count.
    if type(value) is not kind:
        raise InvalidInput(name, described(value), f"a JSON value of type {kind.__name__}")
    return value
