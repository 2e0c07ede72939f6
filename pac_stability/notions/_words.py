"""What the parameters of the definitions mean, and what of them is refused, for all docstrings."""

from __future__ import annotations

from pac_stability._wording import said_once

_COMMON = {
    "delta": "A probability.",
    "epsilon": "The privacy parameter.",
    "max_grid": "The largest number of grid points to examine.",
    "n": "The size of the samples.",
    "width": "How narrow the enclosure must be when the answer is irrational.",
    "-> N": "Fraction, or Interval for enclosed laws",
    "-> N | float": "Fraction, or Interval for enclosed laws, or math.inf\n"
    "    The smallest e**epsilon, at least 1; infinity when no epsilon is enough.",
    "-> Frontier | EnclosedFrontier": "Frontier, or EnclosedFrontier for enclosed laws",
}
_REFUSED = {
    "delta": "delta is no exact probability",
    "epsilon": "epsilon is no ``Epsilon``",
    "-> N | float": "For enclosed laws: it is open whether any epsilon is enough.",
    "-> bool": "For enclosed laws: the intervals do not settle it.",
}

_ITS_LAW = {"law": "The law of the output on a sample."}

_PAIRS = (
    _COMMON
    | _ITS_LAW
    | {
        "pairs": "Neighbouring samples, at least one pair.",
        "size": "k, the size of the group, at least 1.",
        "samples": "Samples of one size, such as all of them.",
    }
)
_OF_PAIRS = _REFUSED | {
    "pairs": "there is no pair",
    "samples": "the sizes of the samples differ",
    "size": "k is no positive integer",
}

_OF_LAWS = _REFUSED | {
    "q": "the laws are not of one kind",
    "ratio": "the factor is negative or not exact",
}

said_of_laws = said_once(_COMMON | {"p, q": "The two laws, in either order."}, _OF_LAWS)
"""For functions of two laws."""

said_of_ordered_laws = said_once(_COMMON | {"p, q": "P and Q, in this order."}, _OF_LAWS)
"""For functions of two laws that are not symmetric."""

said_of_pairs = said_once(_PAIRS, _OF_PAIRS)
"""For definitions about neighbouring samples."""

said_of_predictions = said_once(
    _PAIRS
    | {
        "law": "The law of the predicted label, given a sample and a point.",
        "points": "The points x, at least one.",
        "gamma": "A non-negative exact number.",
    },
    _OF_PAIRS | {"points": "there is no point", "gamma": "gamma is negative or not exact"},
)
"""For definitions about predictions on neighbouring samples."""

said_of_types = said_once(
    _COMMON
    | _ITS_LAW
    | {
        "alpha, beta": "An exact number between 0 and 1.",
        "denominator": "q: the distributions with probabilities in multiples of 1/q are examined.",
        "distribution": "D, the law of one example.",
        "errs": "Whether an output is wrong on an example, as for\n"
        ":func:`~pac_stability.notions.losses.error`; asked once for each output and example.",
        "hypotheses": "The class whose smallest error is OPT; ``None`` for OPT = 0, the error of\n"
        "the target when D is realizable.",
        "laws": "The laws of the output on samples of n examples\n"
        "(:func:`~pac_stability.notions.by_type.learner_laws_by_type`).",
        "symmetric": "The learner is known to ignore the order of the sample.",
    },
    {
        "errs": "an output is no hypothesis and ``errs`` was not given",
        "hypotheses": "the class is empty",
        "distribution": "the distribution gives probability to something outside the universe",
        "alpha": "alpha is no such number",
        "beta": "beta is no such number",
        "denominator": "the grid has more points than allowed",
        "width": "the universe has not two examples",
    },
)
"""For definitions about what a learner does on each type of sample."""

_SAMPLES = (
    _COMMON
    | _ITS_LAW
    | {
        "denominator": "q: the distributions with probabilities in multiples of 1/q are examined.",
        "law": "The law of the output on a sample; asked once about each sample.",
        "laws": "The law of the output on each sample: a mapping, or a function.",
        "samples": "D^n: ``distribution.power(n)``, or ``multiset_distribution(distribution, n)`` "
        "for a\nmechanism that ignores the order.",
        "universe": "The distinct elements.",
    }
)
_OF_SAMPLES = {
    "delta": "delta is no exact probability",
    "denominator": "the grid is too large",
    "law": "the law of some sample is none",
    "laws": "a law is missing",
    "universe": "an element is repeated",
    "width": "the width is not positive",
}

said_of_tests = said_once(
    _SAMPLES | {"epsilon": "The deviation that is tolerated, an exact number of at least 0."},
    _OF_SAMPLES
    | {
        "adversary": "the adversary has no test for an output",
        "epsilon": "epsilon is negative",
        "mixed": "``mixed`` is no positive integer",
        "samples": "the samples are no independent draws or of more than "
        ":data:`~pac_stability.notions.best_tests.MAX_ELEMENTS` elements",
    },
)
"""For robust generalization."""

said_of_simulators = said_once(
    _SAMPLES
    | {
        "beta": "The share of samples that may be missed, at least 0 and less than 1.",
        "epsilon, delta": "The parameters of closeness.",
        "max_steps": "The budget of the exact search for three outcomes and more.",
        "simulator": "A law on the outcomes.",
    },
    _OF_SAMPLES | {"beta": "beta is no such share", "epsilon": "epsilon is no ``Epsilon``"},
)
"""For perfect generalization."""

said_of_grids = said_once(
    _COMMON
    | {
        "denominator": "q, at least 1: the grid has the multiples of 1/q.",
        "m": "The number of elements, at least 1.",
        "universe": "The m distinct elements.",
        "value": "The value at a distribution.",
    },
    {
        "denominator": "q is no positive integer",
        "distance": "the distance is not positive",
        "m": "m is no positive integer",
        "max_grid": "the grid has more points than allowed; the message has the number, and the "
        "largest q that is allowed",
        "universe": "an element is missing or repeated",
    },
)
"""For what is known of all distributions from those on a grid."""
