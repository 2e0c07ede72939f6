"""The one writer: whole or as before, on the disk before the rename."""

import os
import stat
from pathlib import Path

import pytest

from pac_stability.keeping.writing import remove_leftovers, set_aside, write_bytes, write_text
from shared_refusals import refuses


def test_the_text_is_on_the_disk_before_the_rename_and_the_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")
    steps: list[str] = []
    sync, rename = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.append("directory" if os.path.isdir(f"/dev/fd/{handle}") else "text")  # noqa: PTH112  # a handle
        assert target.read_text() == ("before" if len(steps) == 1 else "after")
        sync(handle)

    def renamed(self: Path, other: Path) -> Path:
        steps.append("rename")
        return rename(self, other)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    write_text(target, "after")
    assert steps == ["text", "rename", "directory"]
    assert target.read_text() == "after"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((os, "fsync", full) if step == "fsync" else (Path, "replace", full)))
    refuses(r"a\.txt: got no space left on device", write_text, target, "after")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert target.read_text() == "before"


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    refuses("no file name", write_text, "a\0b", "text")
    refuses("half a surrogate pair", write_text, tmp_path / "a", "\ud800")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions as on POSIX")
def test_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a", "text")
        write_bytes(tmp_path / "b", b"\r\n", mode=0o600)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"]
    assert modes == [0o640, 0o600]
    assert (tmp_path / "b").read_bytes() == b"\r\n"


def test_setting_aside_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("first")
    assert set_aside(tmp_path / "a") == tmp_path / "a.old"
    assert (tmp_path / "a.old").read_text() == "first"
    refuses("a file that can be renamed", set_aside, tmp_path / "a")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes of this test are forked")
def test_what_killed_writers_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a[1].txt"
    child = os.fork()
    if not child:
        # Killed between the text and the rename.
        os.fsync = lambda _: os.kill(os.getpid(), 9)  # type: ignore[assignment]  # in this process
        write_text(target, "half")
    os.waitpid(child, 0)
    (left,) = tmp_path.iterdir()
    others = [".a[1].txt.tmp", ".a[1].txt.00000000-1.aa.tmp", "a[1].txt.old", ".b.tmp"]
    others.append(left.name.replace(f"-{child}.", f"-{os.getpid()}."))  # we live
    for name in others:
        (tmp_path / name).write_text("")
    remove_leftovers(target)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(others)
