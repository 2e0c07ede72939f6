"""What the pages of notes say of a claim beside its note: a row of a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Erratum:
    """A claim in the table of its paper's notes.

    Attributes
    ----------
    section
        The section of the page ``docs/errata`` that has the details, by its anchor.
    literally
        What comes of the sentence, or of the reading.
    instead
        What is true.
    changes
        What that changes in the rest of the paper.
    """

    section: str
    literally: str
    instead: str
    changes: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A slip of the pen near a claim.

    Attributes
    ----------
    where
        The place in the paper, in words.
    printed, meant
        What stands there, and what was to stand there.
    """

    where: str
    printed: str
    meant: str
