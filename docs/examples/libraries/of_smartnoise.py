"""smartnoise-sql: queries about a table of people that is in memory, at epsilon = 1."""

import pandas as pd
from snsql import Privacy, from_df

from pac_stability.audit.black_box import measurement


def query(text, *, censor_dims=False):
    """Return the answer to a query, of two people in the town a and those of the sample."""

    def asked(towns):
        people = pd.DataFrame({"id": range(len(towns)), "town": towns, "value": 1})
        columns = {
            "id": {"private_id": True, "type": "int"},
            "value": {"type": "int", "lower": 0, "upper": 1},
            "town": {"type": "string"},
        }
        options = {"max_ids": 1, "censor_dims": censor_dims}
        about = {"": {"S": {"people": {**options, **columns}}}}
        reader = from_df(people, privacy=Privacy(epsilon=1.0, delta=1e-5), metadata=about)
        return reader.execute(text)[1:]

    return measurement(asked, takes=lambda rows: ["a", "a", *rows])


count = query("SELECT COUNT(*) AS n FROM S.people")
total = query("SELECT SUM(value) AS n FROM S.people")
towns = query("SELECT town, COUNT(*) AS n FROM S.people GROUP BY town")
# What get_privacy_cost says of it is epsilon = 2 and delta = 0.000015.
censored = query("SELECT town, COUNT(*) AS n FROM S.people GROUP BY town", censor_dims=True)
