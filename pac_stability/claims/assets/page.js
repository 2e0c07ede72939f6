const box = document.getElementById("search");
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/);
  for (const entry of document.querySelectorAll("article")) {
    const text = entry.textContent.toLowerCase();
    entry.hidden = !words.every(word => text.includes(word));
  }
});
