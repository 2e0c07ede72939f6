"""Hypothesis strategies for classes, samples, neighbours, distributions, trees and mechanisms.

All shrink towards simple values: few points, few hypotheses, zeros, small denominators. They need
hypothesis, the extra ``testing``.

=========================  ========================================================================
classes                    :func:`finite_classes`, :func:`named_classes`
examples and samples       :func:`examples`, :func:`samples`, :func:`realizable_samples`,
                           :func:`neighbouring_samples`, :func:`datasets`,
                           :func:`neighbouring_datasets`, :func:`multisets`,
                           :func:`labelled_samples`, :func:`classes_with_samples`,
                           :func:`classes_with_targets`
numbers, distributions     :func:`probabilities`, :func:`epsilons`, :func:`distributions`,
                           :func:`weighted`, :func:`enclosures`
trees                      :func:`shattered_trees`, :func:`classes_with_trees`
mechanisms                 :func:`mechanisms`, :func:`mechanisms_on_datasets`, :func:`programs`;
                           :func:`tables` of any values
=========================  ========================================================================
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis  # noqa: F401  # to say what is missing
except ModuleNotFoundError as error:
    message = "hypothesis is missing: pip install 'pac_stability[testing]'"
    raise ImportError(message, name="hypothesis") from error

from pac_stability.testing.strategies.classes import (
    classes_with_trees as classes_with_trees,
    distributions as distributions,
    enclosures as enclosures,
    epsilons as epsilons,
    finite_classes as finite_classes,
    named_classes as named_classes,
    probabilities as probabilities,
    shattered_trees as shattered_trees,
    weighted as weighted,
)
from pac_stability.testing.strategies.labelled import (
    classes_with_samples as classes_with_samples,
    classes_with_targets as classes_with_targets,
    datasets as datasets,
    examples as examples,
    labelled_samples as labelled_samples,
    mechanisms as mechanisms,
    mechanisms_on_datasets as mechanisms_on_datasets,
    multisets as multisets,
    neighbouring_datasets as neighbouring_datasets,
    neighbouring_samples as neighbouring_samples,
    programs as programs,
    realizable_samples as realizable_samples,
    samples as samples,
    tables as tables,
)
