"""What the check of the built site notices in its files."""

from pathlib import Path

import pytest

from shared_tools import site_check

GOOD = '<p id="here"><a href="#here">up</a> <a href="b/two.html#there">on</a></p>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two pages that lead to one another."""
    (tmp_path / "b").mkdir()
    (tmp_path / "one.html").write_text(GOOD)
    (tmp_path / "b" / "two.html").write_text('<p id="there"><a href="../one.html?q=1">back</a>')
    return tmp_path


def found(site: Path) -> list[str]:
    """What is wrong, each check asked anew."""
    site_check.text_of.cache_clear()
    site_check.anchors_of.cache_clear()
    return site_check.check_files(site)


def test_a_good_site_passes(site: Path) -> None:
    assert found(site) == []


def test_no_site_is_no_good_site(tmp_path: Path) -> None:
    assert found(tmp_path) == [f"{tmp_path}: no pages"]


@pytest.mark.parametrize(("wrong", "said"), [
    ('<a href="three.html">x</a>', "one.html: three.html is not there"),
    ('<a href="b/two.html#where">x</a>', "one.html: b/two.html#where has no such place"),
    ('<a class="c" href="#where">x</a>', "one.html: #where has no such place"),
    ('<script src="https://cdn.example/x.js">', "one.html: loads https://cdn.example/x.js"),
    ('<link href="//cdn.example/x.css">', "one.html: loads //cdn.example/x.css"),
    ('<img src="b/x.svg" alt="">', "one.html: a picture without words: src="),
    ("<svg><style>text{fill:red}</style></svg>", "one.html: a style sheet inside a picture"),
    (250_000 * " ", "one.html: 250,073 bytes, more than 250,000"),
])  # fmt: skip
def test_what_is_wrong_is_named(site: Path, wrong: str, said: str) -> None:
    page = site / "one.html"
    page.write_text(page.read_text() + wrong)
    assert [problem[: len(said)] for problem in found(site)] == [said]


def test_the_browser_looks_at_all_pages_that_are_read_and_at_some_of_the_many(site: Path) -> None:
    (site / "library").mkdir()
    for number in range(site_check.EVERY + 1):
        (site / "library" / f"{number:02}.html").write_text("")
    looked = site_check.looked_at(site)
    assert looked == ["b/two.html", "one.html", "library/00.html", "library/12.html"]


def test_without_a_browser_it_says_so(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site_check, "BROWSERS", ("no-such-browser",))
    assert site_check.main([str(site)]) == 0
    assert "not looked at in a browser: none of no-such-browser" in capsys.readouterr().err
