"""What parameters of DF20's algorithms and bounds mean, for all docstrings that leave it out."""

from __future__ import annotations

from pac_stability._wording import said_once

said = said_once(
    {
        "H": "The class.",
        "alpha": "An exact number from 0 to 1.",
        "bits": "Working precision.",
        "decay": "rho, above 0 and at most 1.",
        "gamma": "The stability, an exact number from 0 to 1.",
        "growth": "An upper bound on tau_n, the number of patterns on the sample.",
        "learner": "The algorithm.",
        "least_sample_size": "Refuse samples with fewer examples: set by the sizes that promise an "
        "accuracy.",
        "limit": "K_0, any integer.",
        "n": "The size of the samples.",
        "rng": "Where the coins come from; the operating system's entropy by default.",
        "sample": "S.",
        "size": "n', the number of draws.",
        "subset_size": "n', from 1 to n.",
        "InvalidInput": "A parameter is out of range.",
    }
)
