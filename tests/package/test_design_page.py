"""The page on the design names rooms and files as they are."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/explanation/design.md").read_text(encoding="utf-8")
LAYERS = next(
    contract["layers"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    if contract["type"] == "layers"
)


def rooms_of(text: str) -> list[str]:
    """The rooms that a text names, in its order, at their places among all words."""
    return [word for word in re.findall(r"[a-z_]+", text) if word in ROOMS]


ROOMS = [
    room.removeprefix("pac_stability.")
    for layer in LAYERS
    for room in layer.split(" | ")
    if room not in ("pac_stability._face", "pac_stability._report")  # no rooms of their own
]


def test_every_room_of_the_contract_has_a_row() -> None:
    rows = re.findall(r"^\| \d+ \| (.*?) \|", PAGE, re.M)
    assert sorted(set(rooms_of(" ".join(rows)))) == sorted(ROOMS)


def test_the_table_goes_down_as_the_contract_does() -> None:
    rows = re.findall(r"^\| (\d+) \| (.*?) \|", PAGE, re.M)
    floors = {room: int(floor) for floor, names in rows for room in rooms_of(names)}
    falling = [int(floor) for floor, _ in rows]
    assert falling == sorted(falling, reverse=True)
    layers = filter(None, map(rooms_of, LAYERS))
    heights = [[floors[room] for room in layer] for layer in layers]
    assert [(upper, lower) for upper, lower in pairwise(heights) if min(upper) < max(lower)] == []


def test_the_files_of_the_walks_exist() -> None:
    walks = PAGE.split("## Three walks")[1].split("\n## ")[0]
    files = re.findall(r"`([\w/]+\.(?:py|pyx))`", walks)
    assert len(files) > 20
    places = (ROOT / "pac_stability", ROOT, ROOT / "pac_stability/dimensions")
    assert [file for file in files if not any((place / file).is_file() for place in places)] == []
