"""Every numbered statement of the three papers, executable.

A claim says in our words, with its quantifiers, what a paper's item states, which objects of the
library implement it, and how far it can be settled by computation. :func:`check` settles one,
:func:`verify` many.
"""

from __future__ import annotations

from pac_stability.claims.budget import Budget as Budget
from pac_stability.claims.cache import Cache as Cache
from pac_stability.claims.claim import PAPERS as PAPERS
from pac_stability.claims.claim import Claim as Claim
from pac_stability.claims.claim import Expectation as Expectation
from pac_stability.claims.claim import Kind as Kind
from pac_stability.claims.claim import Method as Method
from pac_stability.claims.claim import Whose as Whose
from pac_stability.claims.evidence import Evidence as Evidence
from pac_stability.claims.evidence import Status as Status
from pac_stability.claims.evidence import Tally as Tally
from pac_stability.claims.evidence import TrialEvidence as TrialEvidence
from pac_stability.claims.finding import Finding as Finding
from pac_stability.claims.own_class import ClassEvidence as ClassEvidence
from pac_stability.claims.own_class import check_on as check_on
from pac_stability.claims.own_class import verify_on as verify_on
from pac_stability.claims.reach import OnClass as OnClass
from pac_stability.claims.registry import all as all  # noqa: A004  # read as claims.all()
from pac_stability.claims.registry import get as get
from pac_stability.claims.registry import in_order_of_use as in_order_of_use
from pac_stability.claims.registry import meant as meant
from pac_stability.claims.registry import select as select
from pac_stability.claims.runner import check as check
from pac_stability.claims.runner import notices_mutants as notices_mutants
from pac_stability.claims.runner import verify as verify
from pac_stability.claims.search import about as about
from pac_stability.claims.search import find as find
from pac_stability.claims.trial import Trial as Trial
from pac_stability.claims.trial import trial as trial
