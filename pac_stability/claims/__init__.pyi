from pac_stability.claims.book import Book as Book, books as books
from pac_stability.claims.claim import (
    Basis as Basis,
    Claim as Claim,
    Expectation as Expectation,
    Kind as Kind,
    Method as Method,
    Status as Status,
    Whose as Whose,
)
from pac_stability.claims.consequences import (
    Consequence as Consequence,
    Consequences as Consequences,
    what_follows as what_follows,
)
from pac_stability.claims.evidence import (
    Evidence as Evidence,
    EvidenceReport as EvidenceReport,
    Tally as Tally,
    TrialEvidence as TrialEvidence,
)
from pac_stability.claims.kit import (
    Budget as Budget,
    Finding as Finding,
    OnClass as OnClass,
    Trial as Trial,
    trial as trial,
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
    all as all,  # noqa: A004  # it is claims.all()
    every as every,
    find as find,
    get as get,
    in_order_of_use as in_order_of_use,
    meant as meant,
    select as select,
)
