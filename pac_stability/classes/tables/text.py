"""Text in columns: the separator of cells, decoration around them, and tables that are written."""

from __future__ import annotations

import bisect
import csv
import io
import itertools
import re
from collections.abc import Hashable, Iterator, Sequence

from pac_stability.classes.tables import sheets, values
from pac_stability.classes.tables.sheets import Sheet, TableOptions
from pac_stability.errors import InvalidInput

_DELIMITERS = (",", ";", "\t", "|", " ")
_MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "'|'", " ": "spaces"}
_LONGEST_LINE = 1 << 26


_DRAWN = str.maketrans(
    dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+")
    | dict.fromkeys("\u2502\u2503\u2506\u2507\u250a\u250b\u2551", "|")
    | dict.fromkeys("\u2500\u2501\u2504\u2505\u2508\u2509\u2550\u254c", "-")
)
_DTYPES = re.compile(r"u?(i|int|f|float)\d+|str|bool(ean)?|cat|varchar|double", re.ASCII)
_BRACKETS = re.compile(
    r"\s*(?:\w+\s*=\s*)?[\w.]*(?:\(\s*)?[\[{](.*)[\]}]\s*(?:,\s*\w+=[\w.':]+\s*)*\)?\s*;?\s*",
    re.DOTALL,
)
_FLAT = re.compile(r"[\[(]([^\[\]{}()]*)[\])]")
_SET = re.compile(
    r"(?:([^\s{}\[\](),;:=∅][^{}\[\](),;:=∅\n]{0,80}?)[ \t]*[:=]+[ \t]*)?(?:\b(?:frozen)?set\(\s*)?"
    r"(?:\{([^{}\[\]()]*)\}|\[([^{}\[\]()]*)\]|∅|(?<=set\())\)?"
)
_TYPES = re.compile(r"d|c|s|t|discrete|continuous|string|time|(\S+ )+\S+", re.IGNORECASE)
_FLAGS = re.compile(r"|class|meta|ignore|weight|[cmiw]|\w+=\S+", re.IGNORECASE)
_COMMENT = re.compile(r"(?!(?:[\s,;|]*#[^\s#,;|]+){2,}\s*$)\s*(?:[#%]|//)| *$")
"""A comment; ``#1 #2 #3`` are names."""

_LARGEST_DRAWING = 1 << 22


def plain_text(content: bytes, *, orange: bool) -> tuple[bytes, list[str]]:
    """Return the lines of a table as text without the decoration around them, and its kind.

    Decoration is: rules and outer bars of Markdown and of databases, brackets of programs, the two
    lines of types that Orange writes. Removed lines stay as empty ones, so that line numbers remain
    right.
    """
    content = content.removesuffix(b"\x1a")
    if len(content) > _LARGEST_DRAWING:
        return content, []
    text = content.decode()
    code = re.sub(r"\A([ \t]*([%#]|//).*\n)+", "", text).lstrip()
    if re.match(r"(\w+\s*=\s*)?[\w.]*\(?\s*[\[{]|- *\[|\( *[-+.\d]", code[:40]):
        scalars = re.sub(r"\bnp\.(?:\w+\(([-+.\w]+)\)|(True|False)_)", r"\1\2", code)
        code, how = _without_brackets(re.sub(r"[ \t]+#.*", "", scalars))
        return (code.encode(), how) if how else (content, [])
    drawn_with = any(ord(sign) in _DRAWN for sign in text[:200])
    lines = (text.translate(_DRAWN) if drawn_with else text).splitlines()
    if orange and len(lines) > 2:
        types, flags = lines[1].split("\t"), lines[2].split("\t")
        if all(map(_TYPES.fullmatch, types)) and all(map(_FLAGS.fullmatch, flags)):
            return "\n".join([lines[0], "", "", *lines[3:], ""]).encode(), [
                "types of Orange left out"
            ]
    ruled = [at for at, line in enumerate(lines[:6]) if _is_rule(line)]
    dashes = len(lines) > 2 and lines[1].strip() and not lines[1].strip("- \t")
    if dashes and not any(sign in line for line in lines[2:] for sign in "+-"):
        ruled.append(1)  # single dashes under names of one letter
    cells = {cell for line in lines if not _is_rule(line) for cell in re.split(r"[\s|]+", line)}
    drawn = {part for at in ruled for part in re.split(r"[\s|+:]+", lines[at])} - {"", "-"}
    inner = [line.strip() for line in lines if line.strip()]
    barred = len(inner) > 1 and all(line[0] == line[-1] == "|" for line in inner)
    if not (ruled or barred) or drawn & cells:  # what is drawn with is a value here
        return content, []
    made = [_undrawn(line, at in ruled, top=at < 8) for at, line in enumerate(lines)]
    return "\n".join([*made, ""]).encode(), ["lines of a drawn table left out"]


def _undrawn(line: str, ruled: bool, *, top: bool) -> str:
    """Return a line without bars at its ends; nothing of one that is no line of the table."""
    inner = line.strip()
    told = r"\(?\d+ rows?\b.*|shape: \(.*\)"
    if ruled or _is_rule(line) or re.fullmatch(told, inner):
        return ""
    if not (inner.startswith("|") and inner.endswith("|")):
        return line
    inner = inner[1:-1].strip(" ")
    cells = [cell.strip() for cell in inner.split("|")]
    return "" if top and all(map(_DTYPES.fullmatch, cells)) else inner


def _is_rule(line: str) -> bool:
    """Whether a line is one that is drawn below names or around a table."""
    inner = line.strip()
    drawn = any(sign in inner for sign in ("--", "==", ":-", "-:")) or not inner.strip("= ")
    signs = any(not part.strip("+") for part in inner.split())  # values of a table
    return bool(inner) and drawn and not signs and not inner.strip("|+-=: \t")


def _without_brackets(text: str) -> tuple[str, list[str]]:
    """Return the rows of a table as programs print it: within brackets, or between semicolons."""
    if text.lstrip().startswith("-"):
        inner, rows = text, re.findall(r"^- *\[([^\[\]]*)\]\s*$", text, re.MULTILINE)
        whole = len(rows) == len([line for line in text.splitlines() if line.strip()])
    elif rows := _FLAT.findall(text) if not _FLAT.sub("", text).strip(" ,;\n\r\t") else []:
        rows, whole = _lines_of(rows[0]) if len(rows) == 1 else rows, True
    else:
        found = _BRACKETS.fullmatch(text)
        inner = "" if found is None else found[1]
        rows = re.findall(r"[\[{(]([^\[\]{}()]*)[\]})]", inner)
        whole = bool(rows) and not re.sub(r"[\[{(][^\[\]{}()]*[\]})]", "", inner).strip(" ,\n\r\t")
        if found is not None and not rows:
            rows = _lines_of(inner)
            whole = bool(rows) and not re.search(r"[][{}|=<>]", inner)
    if not whole:
        return text, []
    cells = [re.split(r"\s*,\s*|\s+", row.strip()) for row in rows]
    return "".join(",".join(row) + "\n" for row in cells), ["rows in brackets"]


def _lines_of(inner: str) -> list[str]:
    """Return the rows within one bracket: between semicolons and ends of lines, as in MATLAB."""
    joined = re.sub(r"(\.\.\.|,)[ \t]*\r?\n", " ", inner)
    return [row for row in re.split(r"[;\r\n]", joined) if row.strip()]


def text_sheet(content: bytes, name: str, options: TableOptions, *, sets: bool) -> Sheet:
    """Find the separator of a text, and cut its lines into cells."""
    end = content.find(b"\n", 0, _LONGEST_LINE)
    if end < 0 and len(content) > _LONGEST_LINE:
        raise InvalidInput(name, f"a line of more than {_LONGEST_LINE} bytes", "a table in lines")
    cells = 1 + max(content.count(mark.encode(), 0, max(end, 0)) for mark in _DELIMITERS)
    if cells > sheets.MAX_COLUMNS:
        given = f"{cells} cells in line 1"
        raise InvalidInput(name, given, f"at most {sheets.MAX_COLUMNS} columns")
    how, bare = [], _without_counts(content, name) if sets else content
    if bare != content:
        content, how = bare, ["counts of sets left out"]
    lines, columns, header_line = _dialect(content, options, sets=sets)
    body = _first_lines(content)[lines.skip :]
    apart = lines.delimiter == " " or not any(lines.delimiter in line for line in body)
    if options.delimiter is None and apart and not sets:
        _refuse_hidden_blanks(body, name, options)
    if lines.delimiter != "," and any(lines.delimiter in text for text in _first_lines(content)):
        mark = _MARKS.get(lines.delimiter, repr(lines.delimiter))
        how.append(f"separated by {mark}")
    sheet = Sheet(
        name, text_rows(lines, name), columns=columns, lines=lines, how=how, header_line=header_line
    )
    if sets:
        sheet.sets = _written_sets(content, name) or _sets_of_text(sheet, options)
    return sheet


def _refuse_hidden_blanks(lines: Sequence[str], name: str, options: TableOptions) -> None:
    """Refuse lines whose cells stand in more columns than a line has cells: some are blank."""
    lines = [line for line in lines if not re.match(r"\s*(#|$)", line)]
    words = {cell for line in lines[1:] for cell in line.split()}
    top = " ".join(lines[:1]).split()
    if not any(cell in words or sheets.DECIMAL.fullmatch(cell) for cell in top[1:] or top):
        lines = lines[1:]  # the first names the columns
    text = "\n".join(["", *lines])
    if not re.search(r"[ \n] +\S", text) or "\t" in text or '"' in text:
        return
    rows = [[found.span() for found in re.finditer(r"\S+", line)] for line in lines]
    columns, end = list[int](), -1
    for start, stop in sorted(itertools.chain(*rows)):
        if start > end:
            columns.append(start)
        end = max(end, stop)
    where = [[bisect.bisect(columns, start) for start, _ in row] for row in rows]
    if all(len({*row}) == len(row) < len(columns) for row in where):
        blank = options.spelled("delimiter", " ")
        wanted = f"a sign in each blank cell, or {blank}, if no cell is blank"
        raise InvalidInput(name, "blanks of different widths between cells", wanted)


def _first_lines(content: bytes) -> list[str]:
    """Return the first lines, at least two if there are, without one that is cut off."""
    size = sheets.HEAD
    while size < len(content) and content.count(b"\n", 0, size) < 4 and size < 2 * _LONGEST_LINE:
        size *= 2
    head = content[:size].decode("utf-8", "ignore")
    found = re.split(r"\r\n|\n|\r", head)
    return found[:-1][:200] if size < len(content) and len(found) > 1 else found[:200]


def mark_of(*, header: bool, names: bool) -> str:
    """Return the comment that tells what the first line and the first column are."""
    return sheets.MARK.format(*("names" if told else "data" for told in (header, names)))


def _dialect(
    content: bytes, options: TableOptions, *, sets: bool
) -> tuple[sheets.Lines, list[str] | None, int]:
    """Find what separates cells, where the data begin, and names in a comment above them."""
    first, skip, given = _first_lines(content), 0, options.delimiter
    for header in (True, False):
        for names in (True, False):
            if first[:1] == [mark_of(header=header, names=names)]:
                return sheets.Lines(content, ",", 1, header=header, names=names), None, 0
    if given is not None and given in ("\\t", "tab"):
        given = "\t"
    if given is not None and (len(given) != 1 or given in '"\r\n'):
        raise InvalidInput("delimiter", repr(given), "one character, or tab")
    if first and (said := re.match(r'"?sep=([,;\t|])', first[0])):
        given, skip = given or said[1], 1
    comment = ""
    while skip < len(first) and re.match(_COMMENT, first[skip]):
        comment, skip = first[skip].strip() or comment, skip + 1
    body = [line for line in first[skip:] if line.strip() and not line.startswith("# ")]
    if sets and given is None:
        given = next((mark for mark in ",;\t" if any(mark in line for line in body)), " ")
    escapes = any('\\"' in line for line in body) and not _regular(body, given)
    if given is None:
        given = _best_delimiter(body, escapes)
    lines = sheets.Lines(content, given, skip, escapes)
    if body and re.fullmatch(rf"\s*'[^'\"]*'(\s*{re.escape(given)}\s*'[^'\"]*')*\s*", body[0]):
        lines.quote = "'"
    if not comment:
        return lines, None, 0
    body_cells = next(_cut(body[:1], given, escapes), [])
    if not any(re.search(r"[^\W\d]", cell) for cell in body_cells[1:] or body_cells):
        lines.header = False
    width = len(next(_cut(body[:1], given, escapes), [])) if body else 0
    text = re.sub(r"^[#%]+", "", comment)
    for mark in (given, " "):
        cells = [cell.strip() for cell in next(_cut([text], mark, escapes), [])]
        if len(cells) == width and width and (len(set(cells)) == width):
            return lines, cells, max(i for i in range(skip) if first[i].strip()) + 1
    return lines, None, 0


def _regular(lines: Sequence[str], delimiter: str | None) -> bool:
    """Whether quotes within quotes are doubled, not marked by a backslash as R does."""
    for mark in _DELIMITERS if delimiter is None else (delimiter,):
        try:
            rows = list(csv.reader([f"{line}\n" for line in lines], delimiter=mark, strict=True))
        except csv.Error:
            continue
        if len({len(row) for row in rows}) == 1:
            return True
    return False


def _cut(lines: Sequence[str], delimiter: str, escapes: bool) -> Iterator[list[str]]:
    if delimiter == " ":
        lines = [line.replace("\t", " ").strip() for line in lines]
    reader = csv.reader(
        [f"{line}\n" for line in lines],
        delimiter=delimiter,
        skipinitialspace=True,
        escapechar="\\" if escapes else None,
    )
    try:
        yield from reader
    except csv.Error:
        return


def _best_delimiter(lines: Sequence[str], escapes: bool) -> str:
    """Return what cuts the lines alike, and into most cells that are numbers or words."""
    best, score = ",", (0.0, 0.0, 0.0)
    for mark in _DELIMITERS:
        rows = list(_cut(lines, mark, escapes))
        widths = {len(row) for row in rows[1:]} or {len(row) for row in rows}
        if not rows or max(widths) < 2:
            continue
        even = len(widths) == 1 and len(rows[0]) in (max(widths), max(widths) - 1)
        cells = [cell.strip() for row in rows[1:] or rows for cell in row]
        plain = sum(_atomic(cell, mark) for cell in cells) / max(len(cells), 1)
        commas = [cell for row in rows for cell in row if "," in cell and mark != ","]
        decimals = bool(commas) and all(re.fullmatch(r"[-+]?\d*,\d+", cell) for cell in commas)
        if (found := (float(even), plain, float(decimals))) > score:
            best, score = mark, found
    return best


def _atomic(cell: str, mark: str) -> bool:
    """Whether nothing else in a cell looks like a separator."""
    if mark in ",|" and sheets.DECIMAL.fullmatch(cell) and "," in cell:
        return False
    return bool(sheets.DECIMAL.fullmatch(cell)) or not any(other in cell for other in ",;\t|")


class _Tap:
    """Hands on lines, and keeps those of the row that is being read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines, self.raw = lines, ""

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            self.raw += line
            yield line

    def cell(self, cell: str) -> str:
        """Return a cell without blanks at its ends, unless quotes keep them."""
        bare = cell.strip()
        kept = bare != cell and f'"{cell.replace(chr(34), chr(34) * 2)}"' in self.raw
        return cell if kept else bare


def text_rows(lines: sheets.Lines, name: str) -> sheets.Rows:
    """Yield the lines with data, numbered and cut into cells; blank ones too in a single column."""
    text: Iterator[str] = io.TextIOWrapper(io.BytesIO(lines.content), "utf-8", newline="")
    text = itertools.islice(text, lines.skip, None)
    spaces = lines.delimiter == " "
    if spaces:
        text = (f"{line.replace(chr(9), ' ').strip()}\n" for line in text)
    tap = _Tap(text)
    reader = csv.reader(
        tap,
        delimiter=lines.delimiter,
        strict=True,
        skipinitialspace=True,
        quotechar=lines.quote,
        escapechar="\\" if lines.escapes else None,
    )
    width, fits, lost, rows = -1, range(0), 0, 0
    try:
        for cells in reader:
            raw, tap.raw = tap.raw, ""
            if not raw.strip() and lines.delimiter not in raw.strip("\r\n"):
                if width == 1:  # perhaps a blank cell
                    yield reader.line_num + lines.skip, []
                continue
            if width >= 0 and raw[0] == "#" and (raw[1:2] == " " or len(cells) not in fits):
                lost = lost or reader.line_num + lines.skip
                continue
            if len(cells) > sheets.MAX_COLUMNS:
                given = f"{len(cells)} cells in line {reader.line_num + lines.skip}"
                raise InvalidInput(name, given, f"at most {sheets.MAX_COLUMNS} columns")
            marks = raw.count('"') if raw.startswith('"') else 0
            if width < 0:
                width, lines.quoted_top = len(cells), marks >= 2 * len(cells)
                fits = range(width, width + 1 + (width > 1))  # a header may be shorter by one
            else:
                fits, rows = range(len(cells), len(cells) + 1), rows + 1
                lines.quoted_names &= marks > 0
                lines.quoted_rest &= marks >= 2 * len(cells)
            tap.raw = raw
            shown = [tap.cell(cell) for cell in cells] if " " in raw or "\t" in raw else cells
            tap.raw = ""
            yield reader.line_num + lines.skip, shown
        if lost and not rows:
            given = f"comments alone below the first line, '#' in line {lost}"
            raise InvalidInput(name, given, "rows that do not begin with '#'")
    except csv.Error as problem:
        line = reader.line_num + lines.skip
        raise InvalidInput(name, f"line {line}: {problem}", "text in columns") from None


def _without_counts(content: bytes, name: str) -> bytes:
    """Return sets as programs that mine them write them, without how often each was met."""
    ends = re.findall(rb"(?:^|\s)-2[ \t]*$", content, re.MULTILINE)
    if b"==>" in content or (
        ends and len(ends) == len(content.split(b"\n")) - content.endswith(b"\n")
    ):
        given = "rules (==>)" if b"==>" in content else "sequences, which end with -2"
        raise InvalidInput(name, given, "sets: the points of one in each line")
    return re.sub(rb"[ \t]*#[A-Z]+:.*", b"", content)


def _written_sets(content: bytes, name: str) -> list[tuple[str | None, list[Hashable]]]:
    """Return sets as programs and papers write them, ``{a, b}``, and ``name: a, b``; else none."""
    if not any(sign in content for sign in (b"{", b"[", b":", "∅".encode())):
        return []
    text = content.decode()
    if not any(sign in text for sign in "{[∅"):
        lines = [line.split(":", 1) for line in text.splitlines() if line.strip()]
        named = all(line[0].strip() and line[-1][:1] in " \t" for line in lines)
        alike = {len(line) for line in lines} == {2} and len({line[0] for line in lines}) == len(
            lines
        )
        return [(line[0].strip(), _items(line[1])) for line in lines if named and alike]
    text = re.sub(r"^\s*\w+\s*=\s*(?=[\[{(]\s*[\[{(fs∅])", "", text)
    if not re.sub(r"[\s,;{}\[\]()]", "", _SET.sub("", text)):
        found = _SET.findall(text)
        return [(called.strip() or None, _items(braces or rest)) for called, braces, rest in found]
    if "{" in text:
        given = f"'{{' in line {1 + text[: text.index('{')].count(chr(10))}"
        raise InvalidInput(name, given, "sets such as {a, b} and nothing else, or no braces")
    return []


def _items(text: str) -> list[Hashable]:
    """Return the points of a set: between commas or semicolons, else between blanks."""
    text = text.strip().removesuffix(";")
    mark = next((mark for mark in ",;" if mark in text), "")
    quote = "'" if text.strip().startswith("'") else '"'
    lines = csv.reader(
        [text.strip()], quotechar=quote, delimiter=mark or ",", skipinitialspace=True
    )
    cells = next(lines, []) if mark else text.split()
    return [cell.strip().strip("'\"") for cell in cells if cell.strip()]


def _sets_of_text(sheet: Sheet, options: TableOptions) -> list[tuple[str | None, list[Hashable]]]:
    found: list[tuple[str | None, list[Hashable]]] = []
    lines = sheet.lines.content.decode().splitlines()[sheet.lines.skip :] if sheet.lines else []
    if re.search(r"\n[ \t]*\n", "\n".join(lines).strip()):
        wanted = "no such line, or sets in braces, of which {} is the empty one"
        raise InvalidInput(sheet.name, "a blank line", wanted)
    for line, cells in sheet.rows:
        if options.header and sheet.columns is None:
            sheet.columns, sheet.header_line = cells, line
            continue
        if not cells:
            continue
        first = int(bool(options.names))
        items: list[Hashable] = [cell for cell in cells[first:] if cell]
        found.append((cells[0] if first else None, items))
    top, *rest = [[int(str(i)) if str(i).isdecimal() else 0 for i in row] for _, row in found] or [
        []
    ]
    counts = len(top) in (2, 3) and top[0] == len(rest) and min(top) > 0
    if counts and options.header is None and {*itertools.chain(*rest)} <= {*range(1, top[1] + 1)}:
        no = options.spelled("header", False)
        given = f"{found[0][1]} as the first line above {len(rest)} more"
        wanted = f"no such line, if it counts sets and points, or {no}, if it is a set"
        raise InvalidInput(sheet.name, given, wanted)
    return found


def text_of_table(
    rows: list[list[int]], domain: Sequence[Hashable], names: Sequence[str] | None
) -> str:
    """Write a table as comma-separated text, with a comment on how to read it if necessary."""
    top = tuple(domain) != tuple(range(len(domain))) or not rows
    header = [str(point) for point in domain]
    called = [*(header if top else ()), *(names or ())]
    first = list(names or ()) or [str(row[0]) for row in rows if row]
    like_names = not top and (rows[0] in ([0], [1], [0, 1]) or values.only_counts(first))
    corner = header[:1] if top and names is None else [] if top else list(names or ())[:1]
    index = any(map(values.is_index, corner))
    text = io.StringIO(newline="")
    odd = like_names or index or any(map(_is_odd, called))
    if odd:
        text.write(f"{mark_of(header=top, names=names is not None)}\n")
    writer = csv.writer(text, lineterminator="\n")
    if odd:
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    if top:
        writer.writerow(header if names is None else ["name", *header])
    if names is None:
        writer.writerows(rows)
    else:
        writer.writerows([name, *row] for name, row in zip(names, rows, strict=True))
    return text.getvalue()


def _is_odd(name: str) -> bool:
    """Whether a name could be taken for a value, a comment or several cells."""
    plain = name.strip().casefold()
    special = re.search(r"[,;\t|\\\"\r\n]|^[#%\ufeff]|^sep=", name)
    return (
        name != name.strip()
        or values.is_number(name)
        or plain in values.WORDS | values.ABSENT
        or bool(special)
    )
