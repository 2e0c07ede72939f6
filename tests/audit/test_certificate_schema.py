"""The JSON Schema of audit certificates, held against what is written."""

import json
from fractions import Fraction
from pathlib import Path

from pac_stability import FiniteDistribution, Neighbouring, Sample, audit, data
from pac_stability.audit.certificates import to_document
from pac_stability.audit.notions.notion import OWN

SCHEMA_FILE = Path(__file__).parents[2] / "docs/reference/audit-certificate.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text())


def constant(point: object) -> int:
    return int(point == "b")


def learner(S: Sample[str]) -> FiniteDistribution[object]:
    return FiniteDistribution(
        {constant: Fraction(1, 1 + len(S)), max: Fraction(len(S), 1 + len(S))}
    )


def test_the_published_schema_has_the_fields_that_are_written() -> None:
    document = to_document(audit.differential_privacy(learner, ["a", "b"], 1, claim=1))
    parts = {
        "": (document, SCHEMA),
        "instance": (document["instance"], SCHEMA["properties"]["instance"]),
        "counts": (document["counts"], SCHEMA["properties"]["counts"]),
        "answers": (document["answers"], SCHEMA["$defs"]["answers"]),
        "witness": (document["witness"], SCHEMA["$defs"]["pair"]),
    }
    for name, (part, schema) in parts.items():
        assert isinstance(part, dict)
        assert list(part) == schema["required"], name
        assert set(schema["required"]) == set(schema["properties"]) - {
            *("point", "order", "sizes", "listed"),
            *("version", "subject", "understood", "kept"),
            *OWN,
        }, name
        assert schema["additionalProperties"] is False, name
    entry = SCHEMA["properties"]["objects"]["items"]
    assert isinstance(document["objects"], list)
    assert {key for described in document["objects"] for key in described} == {"repr", "labels"}
    assert set(entry["properties"]) == {"repr", "labels"}
    both = (audit.Notion.all(), tuple(notion.at_epsilon for notion in audit.Notion.all()))
    names = [notion.name for notions in both for notion in notions if notion is not None]
    assert SCHEMA["properties"]["notion"]["enum"] == names
    assert set(OWN) <= set(SCHEMA["properties"]["instance"]["properties"])
    relation = SCHEMA["properties"]["instance"]["properties"]["relation"]
    assert relation["enum"] == [kind.value for kind in (*Neighbouring, *data.Adjacency)]
    symmetry = SCHEMA["properties"]["instance"]["properties"]["symmetry"]
    assert symmetry["enum"] == [kind.value for kind in audit.Symmetry]
