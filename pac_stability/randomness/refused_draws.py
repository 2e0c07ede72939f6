"""The draws of ``random`` and NumPy that coins refuse, and what they say then."""

from __future__ import annotations

_CONTINUOUS = dict.fromkeys(
    (
        *("betavariate", "expovariate", "gammavariate", "gauss", "lognormvariate"),
        *("normalvariate", "paretovariate", "triangular", "vonmisesvariate", "weibullvariate"),
        *("beta", "chisquare", "dirichlet", "exponential", "f", "gamma", "gumbel", "laplace"),
        *("logistic", "lognormal", "multivariate_normal", "noncentral_chisquare", "noncentral_f"),
        *("normal", "pareto", "power", "rayleigh", "standard_cauchy", "standard_exponential"),
        *("standard_gamma", "standard_normal", "standard_t", "triangular", "vonmises", "wald"),
        "weibull",
    ),
    "a draw with an exact law: this one is continuous, and its probabilities are not rational",
)
_CONTINUOUS["laplace"] += (
    "; for noise on a count use mechanisms.DiscreteLaplace(decay, low, high).run(count, rng)"
)
for _name in ("normal", "gauss", "normalvariate", "standard_normal"):
    _CONTINUOUS[_name] += (
        "; for noise on a count use rng.binomial(n, Fraction(1, 2)), which is close to a normal "
        "law, or mechanisms.DiscreteLaplace"
    )
_INFINITE = dict.fromkeys(
    ("poisson", "negative_binomial", "zipf", "logseries"),
    "a draw with finitely many values, of which an audit can list all",
)
_STATES = dict.fromkeys(
    ("seed", "getstate", "setstate", "bit_generator", "get_state", "set_state", "jumped"),
    "no seed and no state: the coins are answered in every way",
)
_OTHERS = dict.fromkeys(
    ("multinomial", "hypergeometric", "multivariate_hypergeometric", "permuted", "bytes"),
    "one of random, uniform, randrange, randint, integers, choice, choices, sample, shuffle, "
    "permutation, getrandbits, binomial, below, choose and bernoulli",
)
REFUSED = {**_CONTINUOUS, **_INFINITE, **_STATES, **_OTHERS}
"""What is wanted in place of each draw that coins refuse, by its name."""


def no_such_draw(name: str) -> AttributeError:
    """Return the error for a draw that coins do not have, such as ``random``."""
    return AttributeError(
        f"coins have no {name!r}: they answer exactly, by below(n), an integer under n, "
        "choose(weights), an index, and bernoulli(p), 1 with probability p; and by what random and "
        "numpy.random have with an exact law, such as random() < p, choice and integers"
    )
