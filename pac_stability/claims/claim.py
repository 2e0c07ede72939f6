"""A claim: a numbered statement of a paper, in our words, and how this library settles it."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from pac_stability._report import Reported
from pac_stability.errors import InvalidInput

if TYPE_CHECKING:  # a list of claims waits for no trial
    from pac_stability.claims.kit import Trial

KEY = re.compile(r"(?P<book>[A-Z]+[0-9]{2}):(?P<item>[a-z][a-z0-9.-]*)")
"""What the key of a claim looks like: that of a book, and an item."""
_NUMBERED = re.compile(r"([a-z]+)-([0-9]+)(?![0-9])")
_SECTION = re.compile(r"(section|appendix)-([0-9]+(?:\.[0-9]+)*|[a-z])(?![a-z0-9])")


class Kind(enum.Enum):
    """The name of the item in the paper."""

    DEFINITION = "definition"
    FACT = "fact"
    LEMMA = "lemma"
    PROPOSITION = "proposition"
    THEOREM = "theorem"
    COROLLARY = "corollary"
    OBSERVATION = "observation"
    REMARK = "remark"
    ALGORITHM = "algorithm"
    FIGURE = "figure"
    REPAIR = "repair"
    """A statement of this library: what holds in place of one that does not as printed."""


class Whose(enum.Enum):
    """The source of a claim: the paper, a proof, a reading, or this library."""

    PRINTED = "printed"
    """The paper prints it, perhaps in other words; what is meant is what is settled."""

    PROOF = "proof"
    """A step of a proof, or what an algorithm of a proof is to achieve."""

    READING = "reading"
    """Words of the paper can be read so, whether or not they are meant so."""

    OURS = "ours"
    """It is a statement of this library."""


class Method(enum.Enum):
    """How far a computation can settle the statement."""

    EXACT = "exact"
    """Rational numbers decide each instance."""

    CERTIFIED = "certified"
    """Irrational numbers are compared by intervals that are sure to contain them."""

    EXPLICIT = "explicit constants"
    """The statement hides constants; a version with explicit ones is what is settled."""

    STATISTICAL = "statistical"
    """Draws speak for it, with a stated probability of being misled."""

    ASYMPTOTIC = "asymptotic"
    """A statement about a limit, or with unknown constants: recorded, not settled."""

    OPEN = "open"
    """It is neither proved nor refuted, as far as is known here: recorded, not settled."""


class Basis(enum.Enum):
    """Why a run may call a statement settled; otherwise its instances are some of many."""

    FINITE = "finite"
    """It is about finitely many things, and the trials go through all of them."""

    ROCQ = "rocq"
    """The theorems in ``rocq`` state it whole, and Rocq accepts them."""


class Expectation(enum.Enum):
    """The known status of the statement, which a run must confirm."""

    HOLDS = "holds"
    FAILS = "fails as printed"
    """A printed statement fails in the reading that its authors plainly mean."""

    MISPRINT = "a misprint"
    """What is printed is not what is meant, as its surroundings show."""

    RANGE = "fails outside the intended range"
    """It fails for parameters that are not excluded, and are not what it is for."""

    STEP = "a step of the proof fails"
    """Whether the statement that is proved holds is another question."""

    READING = "a reading fails"
    """The words can be read so; what is meant is another claim."""

    RECORDED = "recorded"

    @property
    def refuted(self) -> bool:
        """Whether a run is to find a counterexample."""
        return self in _WORDS

    def word_for(self, status: str) -> str:
        """Return the status; for a refutation that is expected, the kind of statement that fails.

        Examples
        --------
        >>> Expectation.MISPRINT.word_for("refuted"), Expectation.HOLDS.word_for("refuted")
        ('misprint', 'refuted')
        """
        return _WORDS.get(self, status) if status == "refuted" else status


_WORDS = {
    Expectation.FAILS: "fails",
    Expectation.MISPRINT: "misprint",
    Expectation.RANGE: "out of range",
    Expectation.STEP: "proof step",
    Expectation.READING: "reading",
}
# What is said of whose sentence. A statement of ours that is refuted is corrected instead.
_SAID_OF = {
    Expectation.FAILS: (Whose.PRINTED,),
    Expectation.MISPRINT: (Whose.PRINTED, Whose.PROOF),
    Expectation.RANGE: (Whose.PRINTED, Whose.PROOF),
    Expectation.STEP: (Whose.PROOF,),
    Expectation.READING: (Whose.READING,),
}


class Status(enum.Enum):
    """The result of a run about a claim.

    Attributes
    ----------
    SETTLED
        The statement is finite and holds on every instance, or the proof assistant Rocq accepts a
        proof of it; reports say which.
    EXHAUSTED
        It holds on every instance of a finite universe, which reports name, but the statement
        covers more than that.
    SURVIVED
        It holds on every examined instance, which are some of all instances.
    REFUTED
        It fails on an instance, which reports name.
    BROKEN
        A trial ended with an error. Never a success.
    BOUNDED
        Certified bounds did not decide some instance, and none refutes it.
    SUPPORTED
        Draws support it on some instances, and none refutes it.
    RECORDED
        Nothing was examined: no finite computation can settle it.
    OPEN
        Nothing was examined: no proof and no counterexample is known here.
    EMPTY
        A trial had no instance that could have refuted it. Never a success.
    INSENSITIVE
        A trial does not refute the tightened statement on its tightest instance, so it does not
        compare the numbers that it reports. Never a success.
    """

    SETTLED = "settled"
    EXHAUSTED = "exhausted"
    SURVIVED = "survived"
    REFUTED = "refuted"
    BROKEN = "broken"
    BOUNDED = "bounded"
    SUPPORTED = "supported"
    RECORDED = "recorded"
    OPEN = "open"
    EMPTY = "empty"
    INSENSITIVE = "insensitive"


MEANING = {
    "settled": "every instance was examined, or Rocq accepts a proof",
    "exhausted": "it holds on all of a finite universe, which is named",
    "survived": "it holds on all examined instances, some of many",
    "supported": "random draws support it, with a stated probability of error",
    "bounded": "certified bounds leave an instance undecided",
    "recorded": "nothing is examined: a limit, or constants without numbers",
    "open": "nothing is examined: neither proved nor refuted, to our knowledge",
    "fails": "a printed statement fails, in its plainly intended reading",
    "misprint": "the printed formula fails; the context shows the intended one",
    "out of range": "it fails for parameters that are neither excluded nor intended",
    "proof step": "a step of a proof fails; the statement may still hold",
    "reading": "a possible reading of the words fails; another is intended",
    "refuted": "it should hold, but fails on the shown instance",
    "broken": "a trial ended with an error",
    "insensitive": "a trial does not compare the numbers that it reports",
    "empty": "no instance of a trial could have refuted it",
}
"""What each word says, in a line: the one place for the command and for the pages."""


@dataclass(frozen=True, slots=True)
class Erratum:
    """A claim in the table of its paper's notes.

    Attributes
    ----------
    section
        The anchor of the section of the page ``docs/errata`` with the details.
    literally
        The consequence of the sentence, or of the reading.
    instead
        What is true.
    changes
        The effect on the rest of the paper.
    """

    section: str
    literally: str
    instead: str
    changes: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A misprint near a claim.

    Attributes
    ----------
    where
        The place in the paper, in words.
    printed, meant
        The printed text, and the correct text.
    """

    where: str
    printed: str
    meant: str


@dataclass(frozen=True, slots=True, repr=False)
class Claim(Reported):
    """One numbered statement.

    Attributes
    ----------
    key
        The paper and its item: ``"BLM20:lemma-12"``. Repairs and explicit versions carry a suffix:
        ``"BLM20:lemma-12.repaired"``.
    kind
        Its name in the paper.
    title
        A few words.
    statement
        The exact form that the trials settle, with its quantifiers.
    code
        The objects that its trials examine, as names below ``pac_stability``. The trials execute
        each and detect wrong results of it (``python -m tools.examined``).
    see
        Other objects in the statement; other claims or the tests examine them.
    trials
        The computations, each with its instances and its question. Empty only when ``method`` is
        ``ASYMPTOTIC`` or ``OPEN``. Those of a registered claim are imported on first use.
    method
        How far a computation can settle it.
    whose
        Whose sentence it is.
    where, version
        Its place: section and version. A file of statements may omit these if the item is numbered
        and the version is that of the whole book.
    latex
        The statement with its formulas in LaTeX between dollars, or nothing.
    expectation
        Whether it holds.
    uses
        Keys of the claims that its proof or its statement uses, in the same paper or another.
    repaired_by
        The claim that replaces this one, if it is refuted.
    explicit
        The claim with explicit constants, if this one is asymptotic.
    note
        Further remarks: versions that differ, later corrections.
    rocq
        Theorems of ``pac_stability/rocq/theories``, as FILE.THEOREM, that prove it (or, where it is
        refuted, that it fails) in the proof assistant Rocq.
    basis
        Why it is settled if no trial refutes it.
    erratum
        Its row in the table of the paper's errata, if it has one.
    corrections
        Misprints near it.

    Raises
    ------
    InvalidInput
        The fields contradict one another.
    """

    key: str
    kind: Kind
    title: str
    statement: str
    code: tuple[str, ...]
    trials: Sequence[Trial] = ()
    method: Method = Method.EXACT
    whose: Whose = field(kw_only=True)
    where: str = field(default="", kw_only=True)
    version: str = field(default="", kw_only=True)
    latex: str = field(default="", kw_only=True)
    expectation: Expectation = Expectation.HOLDS
    uses: tuple[str, ...] = ()
    repaired_by: str | None = None
    explicit: str | None = None
    note: str = ""
    rocq: tuple[str, ...] = ()
    basis: Basis | None = field(default=None, kw_only=True)
    see: tuple[str, ...] = field(default=(), kw_only=True)
    erratum: Erratum | None = field(default=None, kw_only=True)
    corrections: tuple[Correction, ...] = field(default=(), kw_only=True)

    _face: ClassVar[str] = "pac_stability.claims.listing:claim_face"

    def __repr__(self) -> str:
        return f"<Claim {self.key}: {self.title}>"

    def __post_init__(self) -> None:
        if KEY.fullmatch(self.key) is None:
            raise InvalidInput("key", repr(self.key), "a paper's key, a colon and an item")
        recorded = self.method in (Method.ASYMPTOTIC, Method.OPEN)
        if recorded != (not self.trials):
            raise InvalidInput("trials", self.key, "trials, unless the claim is only recorded")
        if recorded != (self.expectation is Expectation.RECORDED):
            raise InvalidInput("expectation", self.key, "RECORDED exactly for what is not settled")
        if self.expectation.refuted != (self.repaired_by is not None):
            raise InvalidInput("repaired_by", self.key, "a repair exactly of what is refuted")
        if self.expectation.refuted and self.whose not in _SAID_OF[self.expectation]:
            given = f"{self.expectation.value!r} of {self.key}, which is {self.whose.value}"
            raise InvalidInput("expectation", given, "words that fit its source")
        if self.basis is not None and self.expectation is not Expectation.HOLDS:
            raise InvalidInput("basis", self.basis.value, f"none: {self.key} need not hold")
        if self.basis is Basis.ROCQ and not self.rocq:
            raise InvalidInput("basis", self.basis.value, f"the theorems that state {self.key}")
        misprinted = self.expectation is Expectation.MISPRINT
        if self.kind is Kind.DEFINITION and self.expectation.refuted and not misprinted:
            raise InvalidInput("expectation", self.key, "words for a definition, which cannot fail")
        if self.kind is Kind.REPAIR and self.whose is not Whose.OURS:
            raise InvalidInput("whose", self.key, "OURS for a repair")
        if self.whose is not Whose.OURS and not self.place:
            raise InvalidInput("where", self.key, "the section where it stands")
        if isinstance(self.trials, tuple):
            require_trials(self.key, self.expectation, self.trials, self.basis)

    @property
    def objects(self) -> tuple[str, ...]:
        """All objects of the library in the statement."""
        return (*self.code, *self.see)

    @property
    def paper(self) -> str:
        """The key of the paper."""
        return self.key.partition(":")[0]

    @property
    def item(self) -> str:
        """The item within the paper."""
        return self.key.partition(":")[2]

    @property
    def place(self) -> str:
        """The place of the sentence: version, section, item; empty if it is our own.

        Examples
        --------
        >>> from pac_stability import claims
        >>> claims.get("BLM20:lemma-12").place
        'FOCS 2020, Section IV-B, Lemma 12'
        >>> claims.get("BLM20:lemma-12.independence").place
        'FOCS 2020, Section IV-B, proof of Lemma 12'
        """
        if self.whose is Whose.OURS:
            return ""
        section, named = self.section, self.numbered
        if named and self.whose is Whose.PROOF and not named.startswith(("Equation", "Remark")):
            named = f"proof of {named}"
        return ", ".join(filter(None, (self.version, section, named))) if section else ""

    @property
    def section(self) -> str:
        """The section of the claim, or that of the item that it belongs to; otherwise empty.

        Examples
        --------
        >>> from pac_stability import claims
        >>> claims.get("DF20:section-1.1.lines.repaired").section
        'Section 1.1'
        """
        titled = _SECTION.match(self.item)
        if self.where or titled is None:
            return self.where
        return f"{titled[1].capitalize()} {titled[2].upper()}"

    @property
    def numbered(self) -> str:
        """The numbered item that it is, or belongs to; otherwise nothing.

        Examples
        --------
        >>> from pac_stability import claims
        >>> claims.get("BLM20:lemma-12.repaired").numbered
        'Lemma 12'
        """
        number = _NUMBERED.match(self.item)
        if number is None or _SECTION.match(self.item) is not None:
            return ""
        return f"{number[1].capitalize()} {number[2]}"


def require_trials(
    key: str, expectation: Expectation, trials: Sequence[Trial], basis: Basis | None
) -> None:
    """Refuse trials that a claim cannot have.

    It refuses trials with equal names, trials without a mutant to detect, and, for a finite
    statement, trials without a universe that they exhaust.
    """
    names = [trial.name for trial in trials]
    if len(set(names)) < len(names):
        raise InvalidInput("trials", key, "trials of different names")
    if expectation is Expectation.HOLDS and not all(trial.has_mutant for trial in trials):
        raise InvalidInput("trials", key, "a mutant that each trial must notice")
    if basis is Basis.FINITE and not all(trial.extent for trial in trials):
        raise InvalidInput("trials", key, "trials that go through all of a finite universe")
