from pac_stability.learning import (
    Accuracy as Accuracy,
    PerfectGeneralization as PerfectGeneralization,
    RobustGeneralization as RobustGeneralization,
)
from pac_stability.testing import strategies as strategies
from pac_stability.testing.contract import (
    Check as Check,
    Checked as Checked,
    CheckFailed as CheckFailed,
    ContractCheck as ContractCheck,
    Declares as Declares,
    Held as Held,
)
from pac_stability.testing.suite import (
    Report as Report,
    check_learner as check_learner,
    parametrize_with_checks as parametrize_with_checks,
)
