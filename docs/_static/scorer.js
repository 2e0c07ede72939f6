// Pages that a person wrote come before those that are made of the source.
var Scorer = {
  score: ([page, title, anchor, description, score]) => {
    if (page.startsWith("library/")) return score - 20;
    if (page.startsWith("blueprint/")) return anchor ? score : score + 5;
    return anchor ? score : score + 20; // a page before its sections
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
