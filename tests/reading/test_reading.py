"""What strangers wrote is read with one meaning and bounded work, or refused by file and place."""

import ast
import io
import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import pac_stability.reading
from pac_stability import FiniteClass, InvalidInput, Sample, classes
from pac_stability.claims.evidence import Tally
from pac_stability.claims.running import Cache
from pac_stability.classes.specs import from_spec
from pac_stability.compression.transcript import load_transcript
from pac_stability.online.game import Transcript
from pac_stability.reading import (
    exact_number,
    exact_text,
    integer_from,
    number_from,
    parse_json,
    read_json,
    read_text,
)
from pac_stability.reading.npy import array_of
from shared_refusals import refuses

fractions = st.fractions() | st.builds(
    lambda p, bits: Fraction(p, 3**bits), st.integers(), st.integers(0, 1500)
)


def test_the_room_imports_the_exceptions_alone() -> None:
    folder = Path(pac_stability.reading.__file__).parent
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            if module.startswith("pac_stability"):
                assert module.startswith(("pac_stability.reading", "pac_stability.errors")), file


@given(fractions)
def test_one_number_has_one_text(number: Fraction) -> None:
    text = exact_text(number)
    assert exact_number(text, "p") == number
    for other in (f"+{text}", f"0{text}", f" {text}", f"{text}/1", f"{text}0/10", f"-{text}"):
        if other != "-0":
            try:
                read = exact_number(other, "p")
            except InvalidInput:
                continue
            assert other == exact_text(read)


@given(fractions)
def test_numbers_as_people_write_them(number: Fraction) -> None:
    assert number_from(str(number), "p") == number
    assert number_from(f" {number} \n", "p") == number


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.25", Fraction(1, 4)), (".5", Fraction(1, 2)), ("5.", 5), ("-1e-2", Fraction(-1, 100)),
     ("+2/4", Fraction(1, 2)), ("1E+2", 100), ("1e0000000000000002", 100)],
)  # fmt: skip
def test_decimals(text: str, value: object) -> None:
    assert number_from(text, "p") == value
    assert number_from("1e4299", "p") == 10**4299


STRANGE = [
    "", " ", ".", "e5", "-", "+", "1/", "/2", "1/-2", "1//2", "1/0", "0/0", "1.5/2", "1e", "1e+",
    "1e5.0", "1_000", "\u0661", "\uff11", "\u0b67/\u0b68", "1 /2", "1/ 2", "0x10", "nan", "inf",
    "Infinity", "1e4300", "1e-4300", "1.0e4299", "1e99999999", "1e-99999999", "1e" + "9" * 5000,
    "9" * 5000,
    "1/" + "9" * 5000, "." + "1" * 5000, "1\x002", "2\x1d", "\x1f1/2", "\xa01",
    "--1", "1e5e5", "\xbd", "\xb2",
]  # fmt: skip


@pytest.mark.parametrize("text", STRANGE)
def test_no_numbers(text: str) -> None:
    for read in (number_from, exact_number):
        refuses(r"^p: got [^\n]{1,200}$", read, text, "p")


@pytest.mark.parametrize("text", [*STRANGE, "1.0", "1/2", "1e2"])
def test_no_integers(text: str) -> None:
    refuses(r"^n: got [^\n]{1,120}, want [^\n]*$", integer_from, text, "n")


@pytest.mark.parametrize(
    "text", ["0x", "0x0", "-0", "00", "01", "0X1" + "0" * 300, "0x1f", "0x" + "F" * 300, "1" * 400,
             "1/1", "2/4", "1/0x2", "0x1" + "0" * 70_000, "1/0x1" + "0" * 70_000, "- 1", "1_0"],
)  # fmt: skip
def test_numbers_of_certificates_have_no_second_form(text: str) -> None:
    refuses(r"^p: got [^\n]{1,120}$", exact_number, text, "p")


def test_the_length_of_a_number_is_bounded_before_it_is_read() -> None:
    text = "0x1" + "0" * 1000
    assert exact_number(text, "p", max_bits=4001) == 1 << 4000
    assert exact_number(f"-{text}", "p", max_bits=4001) == -(1 << 4000)
    refuses("lowest terms", exact_number, text, "p", max_bits=4000)
    refuses("1003 digits, want at most 2000 bits", exact_number, text, "p", max_bits=2000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n "a": 2}', "the key 'a' twice"),
        ('["NaN",\n  NaN]', r"NaN \(line 2, column 3\), want JSON without NaN"),
        ("[-Infinity]", r"-Infinity \(line 1, column 2\)"),
        ("[1,\n1e400]", r"1e400 \(line 2, column 1\), want a JSON number that a double holds"),
        ("[0." + "1" * 5000 + "]", r"0\.1+\.\.\. \(line 1, column 2\)"),
        ('["' + "1" * 5000 + '",\n ' + "1" * 5000 + "]", r"enormous integer \(line 2, column 2\)"),
        ('{"a": ["x", "\\ud800"]}', r"half of a surrogate pair, in '\\ud800' at a\[1\], want text"),
        ('{"\\udc00": 1}', r"half of a surrogate pair, in '\\udc00', want text"),
        ("[1, 2", r"line 1, column \d+: .*truncated"),
        ("", r"line 1, column 1: .*truncated"),
        ("[\u0661]", r"line 1, column 2"),
        ("[1_0]", r"line 1, column 3"),
        ("[01]", r"line 1, column 3"),
        ("[" * 900 + "]" * 900, "nested too deeply, want at most 64 levels"),
        ("[" * 65 + "]" * 65, "nested too deeply"),
        ("[" * 500_000, "nested too deeply"),
        ('{"a":' * 500_000, "nested too deeply"),
        ('["\\u0000"]' + "\x00", r"line 1, column 11: Extra data"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_json_is_named_with_its_place(text: str, message: str) -> None:
    for content in (text, text.encode()):
        with pytest.raises(InvalidInput, match=message) as caught:
            parse_json(content, "it")
        assert str(caught.value).startswith("it: got ")
        assert "\n" not in str(caught.value)
        str(caught.value).encode()  # a message can always be printed


def test_what_is_right_is_read(tmp_path: Path) -> None:
    value: dict[str, object] = {
        "a": [1, -0.5, None, True, "\U0001f600 \u0661", {"b": [[]]}],
        "": "\x00",
    }
    for text in (
        json.dumps(value),
        json.dumps(value, ensure_ascii=False),
        json.dumps(value, indent=1),
    ):
        assert parse_json(text, "it") == value
        file = tmp_path / "it.json"
        file.write_bytes(b"\xef\xbb\xbf" + text.encode())  # as some editors do
        assert read_json(file) == value
    assert parse_json("[" * 64 + "]" * 64, "it") is not None
    assert parse_json("1" * 4300, "it") == int("1" * 4300)
    assert parse_json('["\\\\ud800", "\\ud83d\\ude00"]', "it") == ["\\ud800", "\U0001f600"]


def test_bytes_that_are_no_text_are_refused_at_their_place(tmp_path: Path) -> None:
    file = tmp_path / "it"
    for content, place in ((b"ab\xff", 2), (b"\xed\xa0\x80", 0), (b"\xff\xfe1\x00", 0)):
        file.write_bytes(content)
        refuses(rf"it: got bytes .* \(at byte {place}\)", read_text, file, 100)


def test_a_limit_of_python_that_was_lifted_does_not_lift_ours() -> None:
    code = (
        "import sys; sys.set_int_max_str_digits(0)\n"
        "from pac_stability.reading import parse_json\n"
        "parse_json('[' + '1' * 4301 + ']', 'it')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "it: got an enormous integer (line 1, column 2)" in done.stderr


def npy(header: str, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode()
    return (
        b"\x93NUMPY"
        + version
        + len(text).to_bytes(2 if version[0] == 1 else 4, "little")
        + text
        + data
    )


def described(shape: str, descr: str = "|u1", order: str = "False") -> str:
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n"


CRAFTED = {
    "no rows, endless columns": described("(0, 1000000000000000000000000000000)"),
    "no rows, as many columns as can be": described("(0, 9223372036854775807)"),
    "endless rows, no columns": described("(9223372036854775807, 0)"),
    "more entries than can be": described("(4294967296, 4294967296, 4294967296)"),
    "an axis that is a truth value": described("(True, 3)"),
    "seventy axes": described(f"({'1, ' * 70})"),
    "a header of minus signs": "-" * 9000,
    "a header of brackets": "(" * 9000,
    "an open string": "{'descr': '" + "a" * 9000,
    "a negative axis": described("(-1, -1)"),
    "a power": described("(9**9**9,)"),
    "a float axis": described("(1.0, 1)"),
    "no tuple": described("1"),
    "digits of another script": described("(\u0661, 1)"),
    "an unknown field": described("(1, 1)").replace("shape", "shapes"),
    "a field twice": described("(1, 1)").replace("shape", "descr"),
    "a field too few": "{'descr': '|u1', 'shape': (1, 1), }",
    "a field too many": described("(1, 1)").replace(", }", ", 'more': True, }"),
    "an order that is none": described("(1, 1)", order="'False'"),
    "a type in brackets": described("(1, 1)").replace("'|u1'", "[('a', '|u1')]"),
    "objects": described("(1, 1)", "|O"),
    "an unknown type": described("(1, 1)", "u1, u1"),
    "dates": described("(1, 1)", "<M8[s]"),
    "no dictionary": "1",
    "nothing": "",
    "a call": "__import__('os').abort()",
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_headers_of_arrays_are_refused(name: str, tmp_path: Path) -> None:
    for version in (b"\x01\x00", b"\x02\x00", b"\x03\x00"):
        for data in (b"", b"\x00", b"\x01\x00\x01"):
            file = tmp_path / "it.npy"
            file.write_bytes(npy(CRAFTED[name], data, version))
            for read in (FiniteClass.from_npy, classes.read_points):
                refuses(r"it\.npy: got [^\n]{1,200}$", read, file)


@pytest.mark.parametrize("version", [b"\x04\x00", b"\x00\x00", b"\x01\x01", b"\xff\xff"])
def test_unknown_versions_of_arrays_are_refused(version: bytes) -> None:
    content = bytearray(npy(described("(1, 1)"), b"\x01"))
    content[6:8] = version
    refuses(r"no such header: version .* 1\.0, 2\.0 or 3\.0", array_of, bytes(content), "it")


@given(
    st.sampled_from(["|b1", "|u1", "<i2", ">i4", "<u8", ">f2", "<f4", "<f8"]),
    st.lists(st.integers(0, 4), max_size=4),
    st.booleans(),
    st.sampled_from([(1, 0), (2, 0), (3, 0)]),
)
def test_arrays_that_numpy_writes_are_read_as_numpy_reads_them(
    dtype: str, shape: list[int], by_columns: bool, version: tuple[int, int]
) -> None:
    array = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.array(array, order="F" if by_columns else "C"), version)
    read = array_of(stream.getvalue(), "it")
    assert (read.dtype, read.shape) == (array.dtype, array.shape)
    assert read.tolist() == array.tolist()


def test_headers_that_others_write_are_read() -> None:
    for header in (
        '{"shape":(2,1),"fortran_order":False,"descr":"|u1"}',
        "{ 'shape' : (2 , 1,) , 'descr' : 'u1' , 'fortran_order' : True }  ",
    ):
        assert array_of(npy(header, b"\x01\x00"), "it").tolist() == [[1], [0]]


LONG = '{"fraction": "1e99999999"}'
DEEP = "[" * 900 + "]" * 900


@pytest.mark.parametrize("point", [LONG, DEEP, '{"fraction": "\u0661/2"}', '{"fraction": 1}'])
def test_every_reader_of_points_refuses_what_would_hang_or_crash_it(
    point: str, tmp_path: Path
) -> None:
    file = tmp_path / "it.json"
    sample = f'{{"points": [{point}], "labels": [0]}}'
    kept = f'{{"indices": [0], "kept": {sample}, "size": 1, "selection": "any", "filtered": false}}'
    readers: list[tuple[Callable[[Path], object], str]] = [
        (FiniteClass.from_json, f'{{"table": [[0]], "domain": [{point}]}}'),
        (load_transcript, f'{{"schema": "pac-stability/adaptive-session/1", "n": 1, "bits": 1, '
                          f'"delta": "1/20", "budget": 1, "closed": false, "rounds": [{kept}]}}'),
        (Transcript.load, f'{{"schema": {point}}}'),
    ]  # fmt: skip
    for read, text in readers:
        file.write_text(text)
        refuses(r"^[^\n]{1,400}$", read, file)
    refuses("", Sample.from_dict, json.loads(sample))


@pytest.mark.parametrize(
    "spec", ["random:4x4:1e99999999", "random:4x4:\u0661", "thresholds:\u0664", "thresholds:1_0",
             "thresholds:" + "9" * 5000, "random:4x4:1/0", "random:4x4:0.5:" + "9" * 5000],
)  # fmt: skip
def test_names_of_classes_are_read_with_bounded_work(spec: str) -> None:
    refuses(r"^[^\n]{1,200}$", from_spec, spec)


def test_what_is_written_can_be_read_again() -> None:
    deep: object = 0
    for _ in range(40):
        deep = (deep,)
    for point in (10**5000, Fraction(1, 10**5000), deep):
        refuses(r"points: got (an integer of|tuples nested)", Sample([point], [0]).to_dict)
    longest = Sample([10**4299, Fraction(10**4299 - 1, 10**4299)], [0, 1])
    assert Sample.from_dict(json.loads(json.dumps(longest.to_dict()))) == longest


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "null", '{"name": "it"}', '{"name": "it", "tally": []}',
     '{"name": "it", "tally": {"instances": 1, "supported": 0, "misled": "1/0"}}',
     '{"name": "it", "tally": {"instances": 1, "supported": 0, "misled": "1e99999999"}}'],
)  # fmt: skip
def test_a_damaged_file_of_the_cache_counts_as_absent(text: str, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store("it", Tally(instances=3))
    (file,) = tmp_path.glob("*.json")
    found = cache.load("it")
    assert found is not None
    assert found.tally == Tally(instances=3)
    file.write_text(text)
    assert cache.load("it") is None
