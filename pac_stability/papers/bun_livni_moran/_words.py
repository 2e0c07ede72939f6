"""What parameters of BLM20's algorithms mean, for all docstrings that leave it out."""

from __future__ import annotations

from pac_stability._wording import said_once

said = said_once(
    {
        "H": "The class.",
        "bits": "Working precision.",
        "by_law": "Draw from the exact law of a run how often each output occurs, all runs at "
        "once\n(:func:`~pac_stability.papers.bun_livni_moran.streams.at_size.tally_on_target`).",
        "constants": "Which frequency tau of Lemma 12.",
        "dimension": "d, at least 1.",
        "k": "The number of tournaments.",
        "learner": "M, as :meth:`PrivateLearner.of_class` makes it.",
        "max_states": "Refuse laws on more states than this.",
        "n": "Examples that each player draws.",
        "pick": "How the point of step (iv) is chosen, see ``Pick``.",
        "rng": "Where the coins come from; the operating system's entropy by default.",
        "runs": "k, how many runs.",
        "sample": "The sample, on points of the domain.",
        "seed": "Makes the answer repeat itself, whatever the executor; then it is for tests and "
        "figures, and not\nprivate. By default the coins are the operating system's.",
        "target": "A realizable distribution of examples.",
        "tie": "The label that the SOA predicts at a tie.",
        "InvalidInput": "A parameter is out of range.",
    }
)
