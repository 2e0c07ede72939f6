"""Every numbered statement of the papers whose books are installed, executable.

A claim states an item of a paper in our words, with its quantifiers, the objects of the library
that implement it, and how far a computation can settle it. :func:`check` settles one,
:func:`verify` many.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from pac_stability.claims.book import Book as Book, books as books
from pac_stability.claims.claim import (
    Basis as Basis,
    Claim as Claim,
    Expectation as Expectation,
    Kind as Kind,
    Method as Method,
    Whose as Whose,
)
from pac_stability.claims.evidence import (
    Evidence as Evidence,
    EvidenceReport as EvidenceReport,
    Status as Status,
    Tally as Tally,
    TrialEvidence as TrialEvidence,
)
from pac_stability.claims.running import (
    Cache as Cache,
    ClassEvidence as ClassEvidence,
    check as check,
    check_on as check_on,
    notices_mutants as notices_mutants,
    verify as verify,
    verify_on as verify_on,
)
from pac_stability.claims.search import (
    about as about,
    every as every,
    find as find,
    get as get,
    in_order_of_use as in_order_of_use,
    meant as meant,
    select as select,
)
from pac_stability.claims.trials import (
    Budget as Budget,
    Finding as Finding,
    OnClass as OnClass,
    Trial as Trial,
    trial as trial,
)

all = every  # noqa: A001  # read as claims.all()

if TYPE_CHECKING:
    from pac_stability.claims.consequences import (
        Consequence as Consequence,
        Consequences as Consequences,
        what_follows as what_follows,
    )
else:
    # The rules of all papers are imported with these, so only when they are asked for.
    _LATE = ("Consequence", "Consequences", "what_follows")

    def __getattr__(name: str) -> object:
        if name not in _LATE:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message, name=name)
        return getattr(importlib.import_module(f"{__name__}.consequences"), name)

    def __dir__() -> list[str]:
        return sorted([*globals(), *_LATE])
