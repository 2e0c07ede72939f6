"""What the parameters of audits mean, and what they raise, for all docstrings that leave it out."""

from __future__ import annotations

from pac_stability._wording import said_once

_COMMON = {
    "claim": "An epsilon that is claimed: a number, or an ``Epsilon``; or a delta, where epsilon "
    "is fixed.",
    "epsilon": "In place of delta: what is fixed, so that the value is the least delta. A number "
    "is rounded\nso that delta is none too small, and the instance says to what.",
}
_HAS_LAW = {
    "mechanism": "The algorithm under audit, in any of the shapes that have a law: an object with "
    "``law``, a\nfunction of the sample that returns one, or a program of the sample and ``rng``.",
    "SubjectFailure": "The algorithm raised, gave something that is no law, or two different "
    "answers on one sample.",
}
_ON_PAIRS = {
    "delta": "The other parameter of closeness, an exact probability.",
    "n": "The size of the samples.",
    "**options": "See :class:`~pac_stability.audit.options.Options`.",
    "InvalidInput": "An argument is not as described.",
    "AuditStopped": "A limit was reached, or the domain is larger than the limits allow.",
}

said_of_outputs = said_once(
    _COMMON
    | _HAS_LAW
    | _ON_PAIRS
    | {
        "domain": "A number m, for the points 0, ..., m - 1, or the points themselves. Samples are "
        "made of the\nlabelled examples over them, or of the points if ``labelled`` is false.",
    }
)
"""For audits of the law of an output on neighbouring samples."""

said_of_predictions = said_once(
    _COMMON
    | _ON_PAIRS
    | {
        "mechanism": "The algorithm under audit: an object with ``probabilities(sample, points)``, "
        "a program of\nthe sample, the point and ``rng``, or a learner, in any shape that has a "
        "law, whose outputs\nare hypotheses.",
        "domain": "A number m, for the points 0, ..., m - 1, or the points themselves. Samples are "
        "made of the\nlabelled examples over them.",
        "points": "Where predictions are asked for; by default on the whole domain.",
        "SubjectFailure": "The algorithm raised, gave something that is no probability, or two "
        "different answers on\none sample.",
    }
)
"""For audits of predictions on neighbouring samples."""

said_of_draws = said_once(
    _COMMON
    | _HAS_LAW
    | {
        "distribution": "D, the law of one draw. Draws of ``Example``s make a ``Sample``, others a "
        "tuple.",
        "n": "The size of the samples, at least 1.",
        "**options": "See :class:`~pac_stability.audit.options.RunOptions`.",
        "InvalidInput": "An argument is not as described, or a law is known up to intervals only.",
        "AuditStopped": "A limit was reached, or there are more samples than the limits allow.",
    }
)
"""For audits of what an algorithm does on draws from a distribution."""
