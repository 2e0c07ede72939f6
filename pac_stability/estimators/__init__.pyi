from pac_stability.estimators.classifiers import (
    ExponentialStumpClassifier as ExponentialStumpClassifier,
    PrivateClassifier as PrivateClassifier,
    PrivatePredictionClassifier as PrivatePredictionClassifier,
    PrunedTreeClassifier as PrunedTreeClassifier,
    PublicLabels as PublicLabels,
    SparseHalfspaceClassifier as SparseHalfspaceClassifier,
    StablePredictionClassifier as StablePredictionClassifier,
    label_public as label_public,
)
from pac_stability.estimators.drawing import (
    ExactEvaluation as ExactEvaluation,
    FeatureBounds as FeatureBounds,
    FeatureGrid as FeatureGrid,
    FittedRule as FittedRule,
    PrivacyReport as PrivacyReport,
    RoundNumbers as RoundNumbers,
)
from pac_stability.estimators.planning import (
    Plan as Plan,
    PlannedAnswer as PlannedAnswer,
    cost_in_errors as cost_in_errors,
    plan as plan,
    tune as tune,
)
