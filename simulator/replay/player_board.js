// Draws a player's board as `player_board` in picture.py gives it, and marks what differs from an earlier board of the same player.
// A page calls drawPlayerBoard(board, before) with before null where there is nothing to compare with.

function boardElement(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

// A change in words, so that nothing depends on colour: "+2", "new", "gone".
function boardChange(text) {
  return boardElement("ins", "pb-change", text);
}

function boardNumber(now, before) {
  const less = now - before;
  return Number.isNaN(less) || less === 0 ? null : boardChange(less > 0 ? `+${less}` : `−${-less}`);
}

function plural(n, word) {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}

function drawDial(dial, before) {
  const next = dial.next ? `; next card of level ${dial.level} at ${dial.next}` : "";
  return boardElement("span", "", `technology dial ${dial.at} of ${dial.last}`, before && boardNumber(dial.at, before.dial.at), next);
}

// A card keeps its place in the comparison by its name: a played card goes to the first slot, the others move up, unmarked.
function drawPlace(place, before, texts) {
  const slot = boardElement("b", "pb-slot", boardElement("span", "pb-unseen", "slot "), String(place.slot));
  if (!place.name) return boardElement("li", "pb-card", slot, boardElement("span", "pb-soft", "no card"));
  const was = before && before.row.find((other) => other.name === place.name);
  const news = before && (was ? (was.slot > place.slot ? "reset" : "") : "new");
  const tokens = boardElement("span", "pb-tokens");
  const gone = was ? was.tokens - place.tokens : 0;
  if (place.tokens || gone) {
    tokens.append(boardElement("span", "pb-unseen", plural(place.tokens, "trade token")));
    const dots = boardElement("span", "pb-trade", "●".repeat(place.tokens));
    dots.setAttribute("aria-hidden", "true");
    tokens.append(dots, was ? boardNumber(place.tokens, was.tokens) ?? "" : "");
  }
  for (const guest of place.guests) {
    const fresh = was && !was.guests.includes(guest);
    tokens.append(boardElement("span", "pb-guest", guest, fresh ? boardChange("new") : null));
  }
  if (place.waiting) tokens.append(boardElement("span", "", `${plural(place.waiting, place.type === "military" ? "army" : "caravan").replace("armys", "armies")} on it`));
  return boardElement("li", news ? "pb-card pb-changed" : "pb-card", slot, boardElement("span", "pb-name", place.name),
    boardElement("span", "pb-soft", `${place.type} ${place.level}`, place.acts === place.slot ? null : `, acts as ${place.acts}`),
    tokens.childNodes.length ? tokens : null, news ? boardChange(news) : null,
    texts[place.name] ? boardElement("span", "pb-does", texts[place.name]) : null);
}

// Items of a group are the same thing if they have the same name and, where it is not counted, the same note.
function itemKey(item) {
  return item.n === null ? `${item.what}|${item.note}` : item.what;
}

function singular(noun) {
  return noun.replace(/ies$/, "y").replace(/s$/, "");
}

function drawItem(item, was, compared) {
  const words = [item.n === null ? "" : `${item.n} `, item.n === 1 ? singular(item.what) : item.what, item.note ? boardElement("span", "pb-soft", ` (${item.note})`) : null];
  const fresh = compared && !was;
  const change = fresh ? boardChange("new") : was && boardNumber(item.n, was.n);
  const noted = was && !change && was.note !== item.note ? boardChange(was.note ? `was ${was.note}` : "new") : null;
  return boardElement("li", "", ...words, change, noted);
}

function drawGroup(name, items, before) {
  const old = before ? before.has[name] || [] : null;
  const find = (list, item) => list.find((other) => itemKey(other) === itemKey(item));
  const all = items.map((item) => drawItem(item, old && find(old, item), Boolean(old)));
  for (const item of (old || []).filter((each) => !find(items, each) && !items.some((other) => each.n !== null && other.what === each.what))) {
    all.push(boardElement("li", "", boardElement("del", "pb-soft", item.what), boardChange("gone")));
  }
  const list = all.length ? boardElement("ul", "", ...all) : boardElement("span", "pb-soft", "none");
  return [boardElement("dt", "", name), boardElement("dd", "", list)];
}

function drawCounted(part, was) {
  const more = part.needs - part.has;
  const fill = boardElement("i", "pb-fill");
  fill.style.width = `${Math.max(0, Math.min(100, 100 * part.has / part.needs))}%`;
  const bar = boardElement("span", "pb-bar", fill);
  bar.setAttribute("aria-hidden", "true");
  return boardElement("div", "pb-part", boardElement("span", "", `${part.what}: `, boardElement("b", "", `${part.has} of ${part.needs}`),
    was ? boardNumber(part.has, was.has) : null, more > 0 ? boardElement("span", "pb-soft", `, ${more} more`) : null), bar);
}

function drawAgenda(agenda, was, other) {
  const parts = agenda.parts.flatMap((part, k) =>
    [k ? boardElement("div", "pb-soft", agenda.both ? "and" : "or") : null, drawCounted(part, was && was.parts[k])]);
  return boardElement("div", "pb-agenda", other ? boardElement("span", "pb-soft", "or ") : null, boardElement("b", "", agenda.name), ...parts.filter(Boolean));
}

function drawVictoryCard(card, was) {
  if (card.claimed) {
    const fresh = was && !was.claimed ? boardChange("new") : null;
    return boardElement("li", "pb-claimed", boardElement("b", "", `✓ ${card.claimed}`), boardElement("span", "pb-soft", ` claimed in round ${card.round}`), fresh);
  }
  const lost = was && was.claimed ? boardElement("div", "", boardElement("del", "pb-soft", was.claimed), boardChange("lost")) : null;
  return boardElement("li", "", lost, ...card.agendas.map((agenda, k) => drawAgenda(agenda, was && was.agendas[k], k > 0)));
}

// `texts`: what stands on the cards, by their names.
function drawPlayerBoard(board, before, about = "", texts = {}) {
  const dot = boardElement("i", `dot seat${board.seat}`, String(board.seat));
  const row = boardElement("ol", "pb-row", ...board.row.map((place) => drawPlace(place, before, texts)));
  row.setAttribute("aria-label", "focus row, from the left");
  const cards = boardElement("ol", "pb-victory", ...board.victory.map((card, k) => drawVictoryCard(card, before && before.victory[k])));
  cards.setAttribute("aria-label", "victory cards: what is still needed");
  const groups = Object.entries(board.has).flatMap(([name, items]) => drawGroup(name, items, before));
  const made = document.createDocumentFragment();
  made.append(
    boardElement("h3", "", dot, ` ${board.leader} `, boardElement("small", "", [about, board.first ? "first player" : ""].filter(Boolean).join(", "))),
    boardElement("p", "pb-score", boardElement("b", "", `${board.claimed} of ${plural(board.needed, "victory card")}`),
      before && boardNumber(board.claimed, before.claimed),
      board.points === null ? "" : ` · ${plural(board.points, "point")}`, " · ", drawDial(board.dial, before)),
    row, boardElement("div", "pb-body", cards, boardElement("dl", "pb-has", ...groups)));
  return made;
}
