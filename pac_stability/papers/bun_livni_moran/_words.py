"""What parameters of BLM20's algorithms mean, for all docstrings that leave it out."""

from __future__ import annotations

from pac_stability._wording import said_once

said = said_once(
    {
        "H": "The class.",
        "bits": "Working precision.",
        "by_law": "Draw from the exact law of a run how often each output occurs, all runs at "
        "once\n(:func:`~pac_stability.papers.bun_livni_moran.streams.by_law.tally_by_law`).",
        "checkpoint": "Called after each batch with the tally so far.",
        "constants": "Which frequency tau of Lemma 12.",
        "dimension": "d, at least 1.",
        "executor": "Where batches run; by default here, one after the other. Any\n"
        ":class:`concurrent.futures.Executor`: a pool of processes, or ``client.get_executor()``\n"
        "of a cluster of ``dask.distributed`` (the extra ``distributed``).",
        "k": "The number of tournaments.",
        "learner": "M, as :meth:`PrivateLearner.of_class` makes it.",
        "max_states": "Refuse laws on more states than this.",
        "n": "Examples that each player draws.",
        "pick": "How the point of step (iv) is chosen, see ``Pick``.",
        "progress": "Called about ten times a second with an "
        ":class:`~pac_stability.audit.Progress`.",
        "resume": "A tally so far, of the same learner, target, number of runs and seed, by the "
        "same version\nof the library; any other is refused.",
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
