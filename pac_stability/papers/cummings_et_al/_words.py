"""What parameters of CLNRW16's mechanisms and bounds mean, for docstrings that leave it out."""

from __future__ import annotations

from pac_stability._wording import said_once

said = said_once(
    {
        "delta": "The probability of failure, above 0 and below 1.",
        "distribution": "D, the law of one element.",
        "epsilon": "The deviation that is tolerated.",
        "experiment": "The mechanism that is imitated.",
        "guarantee": "The privacy of the mechanism; its delta must be 0.",
        "n": "The size of the samples, at least 1.",
        "reading": "Of Definition 5.",
        "x": "The distribution D.",
        "rng": "Where the coins come from; the operating system's entropy by default.",
        "-> Interval": "Interval",
        "InvalidInput": "A parameter is out of range.",
    }
)
