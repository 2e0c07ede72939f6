"""What a claim is: a numbered statement of a paper, in our words, and how it is settled here."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from pac_stability.claims.trial import Trial
from pac_stability.errors import InvalidInput

PAPERS = {
    "DF20": "dagan_feldman",
    "BLM20": "bun_livni_moran",
    "CLNRW16": "cummings_et_al",
}
"""The keys of the papers, and the packages of ``pac_stability.papers`` that hold their objects."""

_KEY = re.compile(r"(?P<paper>[A-Z]+[0-9]{2}):(?P<item>[a-z][a-z0-9.-]*)")


class Kind(enum.Enum):
    """What the paper calls the item."""

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


class Method(enum.Enum):
    """How far the statement can be settled by a computation."""

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


class Expectation(enum.Enum):
    """What is known of the statement, which a run must find again."""

    HOLDS = "holds"
    FAILS = "fails as printed"
    RECORDED = "recorded"


@dataclass(frozen=True, slots=True)
class Claim:
    """One numbered statement.

    Attributes
    ----------
    key
        The paper and its item: ``"BLM20:lemma-12"``. Repairs and explicit versions carry a suffix:
        ``"BLM20:lemma-12.repaired"``.
    kind
        What the paper calls it.
    title
        A few words.
    statement
        The exact form that is settled, with its quantifiers.
    code
        The objects that implement what the statement is about, as names below ``pac_stability``.
    trials
        What is run: each with its instances and its question. Empty only when ``method`` is
        ``ASYMPTOTIC``.
    method
        How far a computation can settle it.
    expectation
        Whether it holds.
    uses
        Keys of the claims that its proof or its statement needs, in the same paper or another.
    repaired_by
        The claim that holds in place of this one, if it fails as printed.
    explicit
        The claim with explicit constants, if this one is asymptotic.
    note
        What else a reader should know: typos, versions that differ, later corrections.

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
    trials: tuple[Trial, ...] = ()
    method: Method = Method.EXACT
    expectation: Expectation = Expectation.HOLDS
    uses: tuple[str, ...] = ()
    repaired_by: str | None = None
    explicit: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        match = _KEY.fullmatch(self.key)
        if match is None or match["paper"] not in PAPERS:
            raise InvalidInput("key", repr(self.key), "a paper's key, a colon and an item")
        if (self.method is Method.ASYMPTOTIC) != (not self.trials):
            raise InvalidInput("trials", self.key, "trials, unless the claim is asymptotic only")
        if (self.method is Method.ASYMPTOTIC) != (self.expectation is Expectation.RECORDED):
            raise InvalidInput("expectation", self.key, "RECORDED exactly for asymptotic claims")
        if (self.expectation is Expectation.FAILS) != (self.repaired_by is not None):
            raise InvalidInput("repaired_by", self.key, "a repair exactly of what fails as printed")
        names = [trial.name for trial in self.trials]
        if len(set(names)) < len(names):
            raise InvalidInput("trials", self.key, "trials of different names")
        if self.expectation is Expectation.HOLDS and not all(t.has_mutant for t in self.trials):
            raise InvalidInput("trials", self.key, "a mutant that each trial must notice")

    @property
    def paper(self) -> str:
        """The key of the paper."""
        return self.key.partition(":")[0]

    @property
    def item(self) -> str:
        """The item within the paper."""
        return self.key.partition(":")[2]
