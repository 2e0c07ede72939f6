"""JSON, formal contexts and ARFF: their cells, and further information of the format."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from typing import cast

from pac_stability.classes.tables import sheets
from pac_stability.errors import InvalidInput
from pac_stability.reading import parse_json

_JSON = (
    "rows of 0 and 1, records, sets of points, what pandas writes, "
    'or {"table": rows, "domain": points, "names": names of rows}'
)


def json_sheet(content: bytes, kind: str, name: str, options: sheets.TableOptions) -> sheets.Sheet:
    """Read JSON in the forms that pandas and this library write, or lists of sets."""
    value = _json_value(content, name, options)
    sheet = sheets.Sheet(name)
    if isinstance(value, dict) and len(value) == 1 and kind != "sets":
        (inner,) = value.values()
        value = inner if _all(inner, list) or _all(inner, dict) else value
    if _are_sets(value) or (kind == "sets" and _all(_parts(value), list)):
        sheet.sets = _sets_of_json(value)
        return sheet
    if isinstance(value, list) and [_all(row, str) for row in value[:2]] == [True, False]:
        sheet.columns, *value = value
    if isinstance(value, dict) and "table" in value and {"table", "domain", "names"} >= set(value):
        domain, names = value.get("domain"), value.get("names")
        if not all(isinstance(part, list | None) for part in (domain, names)):
            raise InvalidInput(name, "another JSON value", _JSON)
        sheet.domain, sheet.names = domain, names
        value = value["table"]
    elif isinstance(value, dict):
        value = _json_frame(value, kind, sheet, options)
    elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        value = _records(value, sheet)
    if not isinstance(value, list):
        sets = options.spelled("table_format", "sets")
        raise InvalidInput(name, "another JSON value", f"{_JSON} ({sets}, if lists are sets)")
    sheet.rows = _json_rows(value, name)
    return sheet


def _json_value(content: bytes, name: str, options: sheets.TableOptions) -> object:
    lines = content.split(b"\n", 2)
    if len(lines) > 1 and re.fullmatch(rb"\s*(\{.*\}|\[.*\])\s*", lines[0]):
        rows = [line for line in content.splitlines() if line.strip()]
        try:
            json.loads(rows[0])
        except ValueError:
            pass
        else:
            if len(rows) > 1:
                return [
                    parse_json(row, name, max_bytes=options.max_bytes, wanted="a record a line")
                    for row in rows
                ]
    return parse_json(content, name, max_bytes=options.max_bytes, wanted=_JSON)


def _json_rows(rows: Sequence[object], name: str) -> sheets.Rows:
    for number, row in enumerate(rows):
        if not isinstance(row, list) or any(isinstance(cell, list | dict) for cell in row):
            raise InvalidInput(name, "a table that has not two dimensions", _JSON)
        yield number + 1, [sheets.cell_text(cell) for cell in row]


def _are_sets(value: object) -> bool:
    """Whether a value lists texts that cannot be entries of a table."""
    rows = _parts(value)
    if not isinstance(rows, list) or not _all(rows, list):
        return False
    if isinstance(value, dict) and {"data", "columns", "table"} & set(value):
        return False
    texts = [cell for row in rows for cell in row]
    words = {"0", "1", "true", "false", "yes", "no", "t", "f", "y", "n", "x", "", "+", "-"}
    return (
        bool(texts)
        and all(isinstance(text, str) for text in texts)
        and not words >= {text.strip().lower() for text in texts}
        and len({text.strip() for text in texts}) > 2
    )


def _parts(value: object) -> object:
    return list(value.values()) if isinstance(value, dict) else value


def _all(values: object, kind: type) -> bool:
    """Whether a value is a list of some values, all of a kind."""
    return isinstance(values, list) and bool(values) and all(isinstance(v, kind) for v in values)


def _sets_of_json(value: object) -> list[tuple[str | None, list[Hashable]]]:
    if isinstance(value, dict):
        return [(str(key), list(row)) for key, row in value.items()]
    return [(None, list(row)) for row in cast("list[list[Hashable]]", value)]


def _records(records: Sequence[Mapping[str, object]], sheet: sheets.Sheet) -> list[list[object]]:
    columns = list(records[0])
    for number, record in enumerate(records):
        if set(record) != set(columns):
            given = f"record {number} with {', '.join(record)}"[:200]
            raise InvalidInput(sheet.name, given, f"{', '.join(columns)}, as in the first"[:300])
    sheet.columns = columns
    return [[record[column] for column in columns] for record in records]


def _json_frame(
    value: Mapping[str, object], kind: str, sheet: sheets.Sheet, options: sheets.TableOptions
) -> list[list[object]] | None:
    """Return the rows of what pandas writes, but for records and plain rows."""
    if isinstance(value.get("data"), list) and {"schema"} < set(value):
        records = value["data"]
        assert isinstance(records, list)  # noqa: S101  # said in the line before
        if not records or not all(isinstance(record, dict) for record in records):
            return None
        return _records(records, sheet)
    if isinstance(value.get("data"), list) and {"columns", "data"} <= set(value):
        columns, index, rows = value["columns"], value.get("index"), value["data"]
        if not isinstance(columns, list) or not isinstance(index, list | None):
            return None
        sheet.columns = [str(column) for column in columns]
        sheet.names = None if index is None else sheets.row_names([str(row) for row in index])
        return cast("list[list[object]]", rows)
    inner = list(value.values())
    if inner and all(isinstance(part, int | float | str | None) for part in inner):
        return _records([value], sheet)
    if _all(inner, list) and all(inner):
        lists = cast("list[list[object]]", inner)
        inner = [{str(n): cell for n, cell in enumerate(part)} for part in lists]
    if not _all(inner, dict):
        return None
    parts = cast("list[dict[str, object]]", inner)
    if any(list(part) != list(parts[0]) for part in parts):
        return None
    outer, deep = list(value), list(parts[0])
    if kind == "json":
        ways = (options.spelled("table_format", f"json-{way}") for way in ("columns", "index"))
        given = "objects or lists in an object: of columns, or of rows?"
        raise InvalidInput(sheet.name, given, ", as pandas writes by default, or ".join(ways))
    if kind == "json-index":
        sheet.columns, sheet.names = deep, sheets.row_names(outer)
        return [list(part.values()) for part in parts]
    sheet.columns, sheet.names = outer, sheets.row_names(deep)
    return [[part[row] for part in parts] for row in deep]


# Formal contexts, and ARFF


def burmeister_sheet(content: bytes, name: str) -> sheets.Sheet:
    """Read a formal context: ``B``, counts, names of objects and attributes, rows of X and dot."""
    lines = [line.strip() for line in content.decode().splitlines()]
    wanted = "a formal context: B, the counts of objects and attributes, their names, the crosses"
    for place in (2, 1):
        counts = lines[place : place + 2]
        if not (len(counts) == 2 and all(re.fullmatch(r"\d{1,9}", count) for count in counts)):
            continue
        objects, attributes = map(int, counts)
        rest = [line for line in lines[place + 2 :] if line]
        named = len(rest) == 2 * objects + attributes
        if lines[0] != "B" or not (named or len(rest) == objects):
            continue
        rows = rest[-objects:] if objects else []
        first = len(lines) - lines[::-1].index(rows[-1]) - objects if rows else 0
        for number, row in enumerate(rows):
            if not re.fullmatch(r"[xX.]*", row) or len(row) != attributes:
                given = f"{row[:40]!r} as row {number + 1}"
                raise InvalidInput(name, given, f"{attributes} times X or a dot")
        cells = ((first + number + 1, list(row.upper())) for number, row in enumerate(rows))
        return sheets.Sheet(
            name,
            cells,
            columns=rest[objects : objects + attributes] if named else None,
            names=rest[:objects] if named else None,
            how=["a formal context"],
            domain=None if named else list(range(attributes)),
        )
    raise InvalidInput(name, "another text", wanted)


_ATTRIBUTE = re.compile(
    r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\S+)\s*(.*)", re.IGNORECASE
)


def arff_sheet(content: bytes, name: str) -> sheets.Sheet:
    """Read the attribute-relation file format of Weka, dense or sparse."""
    columns: list[str] = []
    defaults: list[str] = []
    lines = content.decode().splitlines()
    start = 0
    for number, line in enumerate(lines):
        plain = line.strip()
        if re.match(r"@data\b", plain, re.IGNORECASE):
            start = number + 1
            break
        if found := _ATTRIBUTE.match(plain):
            columns.append(_unquoted(found[1]))
            listed = found[2].strip()
            first = _arff_cells(listed[1:].rstrip("}"))[:1] if listed.startswith("{") else ["0"]
            defaults.append((first or ["0"])[0])
    if not start or not columns:
        raise InvalidInput(name, "no @attribute or no @data", "a file in ARFF")
    return sheets.Sheet(name, _arff_rows(lines, start, columns, defaults, name), columns=columns)


def _arff_rows(
    lines: Sequence[str], start: int, columns: Sequence[str], defaults: Sequence[str], name: str
) -> sheets.Rows:
    for number, line in enumerate(lines[start:], start + 1):
        plain = line.strip()
        if not plain or plain.startswith("%"):
            continue
        if plain.startswith("{"):
            cells = list(defaults)
            inner = re.sub(r"\}\s*(,\s*\{[^}]*\})?$", "", plain[1:])
            for pair in _arff_cells(inner, strip=False):
                place, _, value = pair.strip().partition(" ")
                if not re.fullmatch(r"\d{1,9}", place) or int(place) >= len(columns):
                    given = f"{pair.strip()[:40]!r} in line {number}"
                    raise InvalidInput(name, given, "the number of an attribute and its value")
                cells[int(place)] = _unquoted(value.strip())
        else:
            cells = _arff_cells(re.sub(r",\s*\{[^}]*\}$", "", plain))
        yield number, [sheets.MISSING if cell == "?" else cell for cell in cells]


def _arff_cells(text: str, *, strip: bool = True) -> list[str]:
    parts = re.findall(r"((?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,])*)(?:,|$)", text)
    cells = parts[:-1] if not parts[-1] and not text.rstrip().endswith(",") else parts
    return [_unquoted(cell.strip()) if strip else cell for cell in cells]


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
