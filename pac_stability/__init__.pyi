# What `import pac_stability` shows, the only list of it: `_face.py` reads it, too.

from pac_stability import (
    arguments as arguments,
    arithmetic as arithmetic,
    audit as audit,
    checker as checker,
    claims as claims,
    classes as classes,
    cli as cli,
    compression as compression,
    data as data,
    dimensions as dimensions,
    errors as errors,
    estimators as estimators,
    keeping as keeping,
    learning as learning,
    mechanisms as mechanisms,
    notions as notions,
    online as online,
    papers as papers,
    plots as plots,
    randomness as randomness,
    reading as reading,
    rocq as rocq,
    testing as testing,
    zoo as zoo,
)
from pac_stability.arithmetic import Epsilon as Epsilon, Interval as Interval
from pac_stability.audit import AuditResult as AuditResult, Verdict as Verdict
from pac_stability.classes import FiniteClass as FiniteClass
from pac_stability.data import (
    Example as Example,
    FiniteDistribution as FiniteDistribution,
    Mechanism as Mechanism,
    Multiset as Multiset,
    Neighbouring as Neighbouring,
    Sample as Sample,
    enumerate_law as enumerate_law,
)
from pac_stability.dimensions import (
    Bounds as Bounds,
    HalfGraph as HalfGraph,
    MistakeTree as MistakeTree,
    Refutation as Refutation,
    ShatteredSet as ShatteredSet,
    dual_vc_dimension as dual_vc_dimension,
    littlestone_dimension as littlestone_dimension,
    shattered_tree as shattered_tree,
    threshold_dimension as threshold_dimension,
    vc_dimension as vc_dimension,
)
from pac_stability.errors import (
    BudgetExhausted as BudgetExhausted,
    InvalidInput as InvalidInput,
    NotRealizable as NotRealizable,
    PacStabilityError as PacStabilityError,
    Unanswerable as Unanswerable,
    Undecided as Undecided,
)
from pac_stability.online import StandardOptimalAlgorithm as StandardOptimalAlgorithm
from pac_stability.randomness import (
    Coins as Coins,
    SeededCoins as SeededCoins,
    SystemCoins as SystemCoins,
)

__version__: str
