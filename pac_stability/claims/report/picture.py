"""The dependency graph on a page: a legend, a filter, sizes, and what a box is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from pac_stability.claims.claim import Claim
from pac_stability.claims.graph import graph_to_svg

COLOURS = {
    "settled": ("#7cc7a2", "#117755", "holds on a whole finite universe"),
    "survived": ("#b5e3cc", "#22aa77", "holds on all instances tried"),
    "supported": ("#a9cdee", "#3388bb", "draws speak for it"),
    "bounded": ("#f4d98a", "#cc9900", "certified bounds leave an instance undecided"),
    "fails": ("#f2a9a0", "#cc3333", "a printed statement fails"),
    "aside": ("#ecd3b4", "#bb8844", "a misprint, a step, a reading or a range"),
    "refuted": ("#f2a9a0", "#cc3333", "refuted, which was not known"),
    "recorded": ("#cccccc", "#999999", "no finite computation settles it"),
    "open": ("#c9c9f2", "#6666cc", "neither proved nor refuted"),
    "empty": ("#f4b6f4", "#cc00cc", "nothing was examined"),
    "insensitive": ("#f4b6f4", "#cc00cc", "a trial could not have failed"),
}
"""For each CSS class of a claim the colour of its box, that of a line, and what it stands for."""

STYLE = "\n".join(
    [
        ".graph { overflow-x: auto; border: 1px solid #8886; border-radius: 6px; }",
        ".graph-tools { display: flex; flex-wrap: wrap; gap: .4em; margin: .5em 0; }",
        ".graph-tools input { flex: 1 1 12em; font: inherit; padding: .2em .5em; }",
        ".graph-tools button { font: inherit; min-width: 2.2em; cursor: pointer; }",
        ".graph-legend { list-style: none; margin: .3em 0; padding: 0; font-size: .85em; }",
        ".graph-legend li { display: inline-block; margin-right: 1.2em; }",
        ".graph-legend span { display: inline-block; width: 1em; height: .8em; margin-right: .4em;"
        " border: 1px solid #888; }",
        ".graph-card { position: absolute; z-index: 9; max-width: min(30em, 90vw); padding: .5em;"
        " background: #fffdf5; color: #111; border: 1px solid #888; border-radius: 4px;"
        " font-size: .85em; pointer-events: none; }",
        "svg .use { fill: none; stroke: #8889; }",
        "svg .use.near { stroke: #d33; stroke-width: 2.5; }",
        "svg .claim rect { fill: #eee; stroke: #888; }",
        "svg .claim text { font: 11px system-ui, sans-serif; text-anchor: middle; fill: #111; }",
        "svg .far { opacity: .2; }",
        "svg a:focus rect, svg a:hover rect { stroke: #d33; stroke-width: 2; }",
        *(f"svg .{name} rect {{ fill: {box}; }}" for name, (box, _, _) in COLOURS.items()),
    ]
)
"""What the figures need, once on a page."""

SCRIPT = """
for (const figure of document.querySelectorAll("figure.claims-graph")) {
  const svg = figure.querySelector("svg");
  const boxes = [...svg.querySelectorAll(".claim")], lines = [...svg.querySelectorAll(".use")];
  const card = document.createElement("div");
  card.className = "graph-card"; card.hidden = true; card.setAttribute("role", "status");
  document.body.append(card);
  const text = box => box.dataset.words;
  for (const box of boxes) {
    const title = box.querySelector("title");
    box.dataset.words = title.textContent; title.remove();
    const link = box.closest("a");
    const show = () => {
      const key = box.dataset.key, place = box.getBoundingClientRect();
      for (const line of lines) line.classList.toggle("near",
        line.dataset.from === key || line.dataset.to === key);
      card.textContent = text(box); card.hidden = false;
      const left = Math.min(place.left, document.documentElement.clientWidth - card.offsetWidth);
      card.style.left = `${Math.max(0, left) + window.scrollX}px`;
      card.style.top = `${place.bottom + 6 + window.scrollY}px`;
    };
    const hide = () => {
      card.hidden = true;
      for (const line of lines) line.classList.remove("near");
    };
    link.addEventListener("mouseenter", show); link.addEventListener("mouseleave", hide);
    link.addEventListener("focus", show); link.addEventListener("blur", hide);
  }
  const width = svg.viewBox.baseVal.width;
  let scale = 0;  // 0: as wide as there is room
  const resize = factor => {
    scale = factor === 0 ? 0 : (scale || svg.getBoundingClientRect().width / width) * factor;
    svg.style.maxWidth = scale ? "none" : "100%";
    svg.style.width = scale ? `${scale * width}px` : "";
  };
  for (const button of figure.querySelectorAll("button"))
    button.addEventListener("click", () => resize(Number(button.value)));
  figure.querySelector("input").addEventListener("input", event => {
    const words = event.target.value.toLowerCase().split(/\\s+/);
    for (const box of boxes) {
      const all = `${text(box)} ${box.getAttribute("class")}`.toLowerCase();
      box.classList.toggle("far", !words.every(word => all.includes(word)));
    }
    for (const line of lines) line.classList.toggle("far", words.join("") !== "");
  });
}
"""
"""What makes the figures of a page answer, once at its end; without it they are links."""


def picture(claims: Sequence[Claim], classes: Mapping[str, str], link: Mapping[str, str]) -> str:
    """Return the graph of some claims with what belongs to it, as HTML.

    Parameters
    ----------
    claims, classes, link
        As in :func:`pac_stability.claims.graph.graph_to_svg`.

    Returns
    -------
    str
        A ``figure``. Its page has :data:`STYLE`, and :data:`SCRIPT` after it.
    """
    used = {classes[claim.key] for claim in claims}
    legend = "".join(
        f'<li><span style="background: {box}"></span>{_word(name)}: {escape(words)}</li>'
        for name, (box, _, words) in COLOURS.items()
        if name in used
    )
    return "\n".join(
        [
            '<figure class="claims-graph">',
            '<div class="graph-tools">'
            '<input type="search" placeholder="Filter: a number, a word, a status"'
            ' aria-label="Filter the boxes of the graph">'
            '<button type="button" value="1.25" aria-label="Larger">+</button>'
            '<button type="button" value="0.8" aria-label="Smaller">&minus;</button>'
            '<button type="button" value="0">fit</button></div>',
            f'<div class="graph">{graph_to_svg(claims, classes, link)}</div>',
            f'<figcaption><ul class="graph-legend">{legend}</ul></figcaption>',
            "</figure>",
        ]
    )


def _word(name: str) -> str:
    return "not as printed" if name == "aside" else name
