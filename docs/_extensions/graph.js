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
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const box of boxes) {
      const all = `${text(box)} ${box.getAttribute("class")}`.toLowerCase();
      box.classList.toggle("far", !words.every(word => all.includes(word)));
    }
    for (const line of lines) line.classList.toggle("far", words.join("") !== "");
  });
}
