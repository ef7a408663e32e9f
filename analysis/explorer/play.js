// The page of a game at the table: it shows what the game says, marks what can be chosen, and sends what is chosen. The game is
// played by the server of `newdawn play`, or in the page itself (analysis/web/games/seat.js), which answers the same.
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let now = null, before = [], busy = false, whole = false, filtered = null;
let seats = [], own = [], fills = [], cardTexts = {}, UNIT = 1; // of this table

function made(tag, words, className) {
  const element = document.createElement(tag);
  if (words !== undefined) element.textContent = words;
  if (className) element.className = className;
  return element;
}

function drawn(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// ---------------------------------------------------------------------- talking to the game

async function fetched(path, method = "GET") {
  if (globalThis.newdawnTable) return newdawnTable(path, method);
  const answer = await fetch(path, { method });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

async function ask(path, method, show) {
  if (busy) return;
  busy = true;
  document.body.classList.add("busy");
  byId("error").hidden = true;
  try {
    show(await fetched(path, method));
  } catch (error) {
    byId("error").textContent = error instanceof TypeError ? "The game's server does not answer; is `newdawn play` still running?" : error.message;
    byId("error").hidden = false;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

const answer = (index) => ask(`/api/answer/${now.stamp}/${index}`, "POST", showAll);
const undo = () => now.undo && ask(`/api/undo/${now.stamp}`, "POST", showAll);
const hint = () => !now.over && ask(`/api/hint/${now.stamp}`, "POST", showHint);

async function save() {
  await ask("/api/file", "GET", (file) => {
    const link = made("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: "application/json" }));
    link.download = "newdawn-game.json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

// ---------------------------------------------------------------------- the question and its options

const optionsAt = (place) => now.options.map((option, index) => ({ ...option, index })).filter((option) => option.places.includes(place));

// A place of one option is that option; one of several shows these only.
function pick(place) {
  const found = optionsAt(place);
  if (laysTile()) keepTile(place);
  else if (found.length === 1) answer(found[0].index);
  else if (found.length) { showOptions(found); byId("options").querySelector("button").focus(); }
}

function light(places, on) {
  for (const place of places) for (const element of document.querySelectorAll(`[data-place="${place}"]`)) element.classList.toggle("lit", on);
}

function showOptions(found) {
  filtered = found;
  byId("chosen").hidden = found.length === now.options.length;
  byId("chosen").replaceChildren(`${found.length} of ${now.options.length} options are here. `);
  const back = made("button", "Show all");
  back.type = "button";
  back.addEventListener("click", () => showOptions(everything()));
  byId("chosen").append(back);
  byId("options").replaceChildren(...found.map((option, place) => {
    const button = made("button");
    button.type = "button";
    button.dataset.index = option.index;
    const key = made("kbd", place < 9 ? String(place + 1) : "");
    key.setAttribute("aria-hidden", "true");
    button.append(key, option.words);
    if (option.does) button.append(made("span", option.does, "does"));
    button.classList.toggle("nothing", option.nothing);
    button.addEventListener("click", () => answer(option.index));
    if (option.sides.length) {
      const sides = made("span", undefined, "sides");
      sides.append(...option.sides.map(tilePicture));
      button.append(sides);
    }
    for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
      button.addEventListener(event, () => { light(option.places, on); if (laysTile() && on) { at ||= option.places[0]; showTile(option.index); } });
    }
    const item = made("li");
    item.append(button);
    return item;
  }));
  fit();
}

function tilePicture({ box, svg }) {
  const picture = drawn("svg", { viewBox: box.join(" "), class: "tile", "aria-hidden": "true", "font-family": "'DejaVu Sans', Verdana, sans-serif" });
  picture.innerHTML = svg;
  return picture;
}

// ---------------------------------------------------------------------- a map tile before it is laid

// The ghost of a tile: it covers the place where one points; a click keeps it there, to be turned. Its options are those that
// cover the place.
const laysTile = () => now.kind === "place_tile";
let ghost = -1, at = "", kept = false;

function showTile(index) {
  ghost = index;
  byId("turn").disabled = index < 0 || turned(false) === index;
  byId("flip").disabled = index < 0 || turned(true) === index;
  byId("lay").disabled = index < 0;
  preview(index);
}

const placeAt = (place) => { const [, q, r] = place.split("/").map(Number); return [q + r / 2, r * Math.sqrt(3) / 2]; };

function middleOf(option) {
  const spots = option.places.map(placeAt);
  return [0, 1].map((k) => spots.reduce((sum, spot) => sum + spot[k], 0) / spots.length);
}

// Of several options the best one: the first number of its marks counts most.
function bestOf(found, marks) {
  const better = (one, other) => { const k = one.findIndex((mark, n) => Math.abs(mark - other[n]) > 1e-9); return k >= 0 && one[k] < other[k]; };
  return found.map((option) => [option, marks(option)]).reduce((best, each) => (better(each[1], best[1]) ? each : best))[0].index;
}

const away = (option, [x, y]) => { const [a, b] = middleOf(option); return Math.hypot(a - x, b - y); };

// The option over a place that is most like the tile as it is shown now.
function likeGhost(place) {
  const [side, turn] = ghost < 0 ? [0, 0] : now.options[ghost].shape;
  return bestOf(optionsAt(place), (option) => [Number(option.shape[0] !== side), (option.shape[1] - turn + 6) % 6, away(option, placeAt(place))]);
}

// The next option over the same place: turned further on the same side, or on the other side.
function turned(other) {
  if (ghost < 0) return ghost;
  const { shape: [side, turn] } = now.options[ghost], middle = middleOf(now.options[ghost]);
  const found = optionsAt(at).filter(({ shape }) => (other ? shape[0] !== side : shape[0] === side && shape[1] !== turn));
  const further = (option) => (option.shape[1] - turn + 6) % 6;
  return found.length ? bestOf(found, (option) => [further(option), away(option, middle)]) : ghost;
}

function pointAt(place) {
  if (!laysTile() || kept) return;
  at = place;
  showTile(likeGhost(place));
}

function keepTile(place) {
  if (kept && now.options[ghost].places.includes(place)) answer(ghost);
  else {
    [at, kept] = [place, true];
    if (ghost < 0 || !now.options[ghost].places.includes(place)) showTile(likeGhost(place));
    showOptions(optionsAt(place));
  }
}

function showGhost() {
  [at, kept] = ["", false];
  byId("ghost").hidden = !laysTile();
  byId("map").classList.toggle("tiles", laysTile());
  showTile(-1);
}

// How a map tile would lie, drawn over the map.
let wanted = -1;
async function preview(index) {
  wanted = index;
  if (index < 0) {
    byId("map").querySelector(".preview")?.remove();
    return;
  }
  const stamp = now.stamp;
  const found = await fetched(`/api/tile/${stamp}/${index}`, "POST").catch(() => null);
  if (!found || wanted !== index || now.stamp !== stamp) return;
  byId("map").querySelector(".preview")?.remove();
  const group = drawn("g", { class: "preview" });
  group.innerHTML = found.svg;
  byId("map").append(group);
}

// All options, those by which nothing is done last.
const everything = () => now.options.map((option, index) => ({ ...option, index })).sort((one, other) => one.nothing - other.nothing);

function showQuestion() {
  const title = byId("question");
  if (now.over) {
    title.replaceChildren(now.headline);
  } else {
    const who = made("i", String(now.seat + 1), `dot seat${now.seat + 1}`);
    title.replaceChildren(who, ` ${now.leaders[now.seat]}: ${now.question}`);
  }
  byId("when").textContent = now.when;
  byId("advice").replaceChildren();
  byId("undo").disabled = !now.undo;
  byId("keys").hidden = now.over;
  byId("hint").disabled = now.over;
  byId("file").disabled = byId("all").disabled = false;
  showOptions(everything());
}

// ---------------------------------------------------------------------- map, wonders, boards, log

function choosable(element, place, label) {
  element.dataset.place = place;
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.setAttribute("aria-label", label);
  element.addEventListener("click", () => pick(place));
  for (const event of ["mouseenter", "focus"]) element.addEventListener(event, () => pointAt(place));
  element.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); pick(place); } });
}

function labelOf(place) {
  const found = optionsAt(place);
  return found.length === 1 ? found[0].words : `${found.length} options: ${found[0].words} …`;
}

function showMap() {
  const { box, spaces, corners, spots } = now.map;
  const map = byId("map");
  map.setAttribute("viewBox", box.join(" "));
  // What is drawn is hidden from screen readers: single letters by the hundred. Options, boards and log say it in words.
  map.innerHTML = ["ground", "edges", "pieces"].map((layer) => `<g aria-hidden="true">${spaces.map((space) => `<g>${space[layer]}</g>`).join("")}</g>`).join("");
  const outlines = { ...spots, ...Object.fromEntries(corners.map((points, space) => [`space/${space}`, points])) };
  for (const place of new Set(now.options.flatMap((option) => option.places))) {
    if (!outlines[place]) continue;
    const target = drawn("polygon", { points: outlines[place], class: "target" });
    const title = drawn("title", {});
    title.textContent = labelOf(place);
    target.append(title);
    choosable(target, place, labelOf(place));
    map.append(target);
  }
  fit();
  // Where the map is larger than its place, what can be chosen comes into sight.
  const scroll = map.parentElement, large = scroll.scrollWidth > scroll.clientWidth || scroll.scrollHeight > scroll.clientHeight;
  scroll.tabIndex = large ? 0 : -1;
  const marks = [...map.querySelectorAll(".target")].map((mark) => mark.getBoundingClientRect());
  if (marks.length && large) {
    const middle = (from, to) => marks.reduce((sum, mark) => sum + (mark[from] + mark[to]) / 2, 0) / marks.length;
    const frame = scroll.getBoundingClientRect();
    scroll.scrollLeft += middle("left", "right") - frame.left - scroll.clientWidth / 2;
    scroll.scrollTop += middle("top", "bottom") - frame.top - scroll.clientHeight / 2;
  }
}

// The map is as large as its place in the window; but a space is at least as wide as its pieces need to be read.
const LEAST = 44;
function fit() {
  const map = byId("map"), scroll = map.parentElement, [, , width, height] = now.map.box;
  const below = byId("wonders").offsetHeight + 44;
  const room = Math.max(320, innerHeight - scroll.getBoundingClientRect().top - scrollY - below);
  const scale = Math.max(LEAST / UNIT, Math.min(scroll.clientWidth / width, room / height));
  map.style.width = `${Math.floor(width * scale)}px`;
  scroll.style.maxHeight = `${room}px`;
  // The options leave room for what lies in front of the player, beside a map that is as high as the window.
  const list = byId("options"), rest = byId("mine").offsetHeight + byId("keys").offsetHeight + 40;
  const wide = byId("table").getBoundingClientRect().left < byId("ask").getBoundingClientRect().left;
  list.style.maxHeight = wide ? `${Math.max(160, innerHeight - list.getBoundingClientRect().top - scrollY - rest)}px` : "";
  const mine = byId("mine");
  mine.style.maxHeight = "";
  if (wide) mine.style.maxHeight = `${Math.max(160, innerHeight - mine.getBoundingClientRect().top - scrollY - 4)}px`;
}
window.addEventListener("resize", () => now && fit());

function showWonders() {
  const wonders = now.wonders.map((wonder) => {
    if (!optionsAt(wonder.place).length) return made("span", wonder.name);
    const button = made("button", wonder.name, "open");
    button.type = "button";
    choosable(button, wonder.place, `build ${wonder.name}`);
    return button;
  });
  byId("wonders").replaceChildren("World wonders to build: ", ...wonders.flatMap((wonder, place) => place ? ["; ", wonder] : [wonder]), wonders.length ? "" : "none");
}

function showBoards() {
  const all = now.boards.map((board, seat) => {
    const section = made("section", undefined, seat === now.seat ? "seat now" : "seat");
    section.id = `seat${seat}`;
    section.setAttribute("aria-label", board.leader);
    // The options say more of the cards, where they are these cards.
    const texts = seat !== now.seat || now.options.some((option) => option.does && option.places[0]?.startsWith("card/")) ? {} : cardTexts;
    section.append(drawPlayerBoard(board, before[seat] || null, seats[seat] === "me" ? "you" : seats[seat], texts));
    section.querySelectorAll(".pb-row > li").forEach((card, place) => {
      const key = `card/${seat}/${place}`;
      if (!optionsAt(key).length) return;
      // The button lies in the item of the list: in its place, screen readers would lose the list.
      const face = made("div", undefined, `${card.className} open`);
      face.append(...card.childNodes);
      card.className = "";
      card.append(face);
      choosable(face, key, labelOf(key));
    });
    return section;
  });
  // What lies in front of whoever is asked stands beside the question.
  byId("mine").hidden = !all[now.seat];
  byId("mine").replaceChildren(...all.filter((_, seat) => seat === now.seat));
  byId("boards").replaceChildren(...all.filter((_, seat) => seat !== now.seat));
}

const SET_UP = "Set-up";
const MOST_TURNS = () => seats.length + 1;

function showLog() {
  const turns = (whole ? now.turns : now.turns.slice(-MOST_TURNS())).slice().reverse();
  byId("told").replaceChildren(...turns.flatMap((turn) => {
    const steps = made("details"), lines = turn.lines.map(([depth, words]) => {
      const line = made("p", words);
      line.style.marginLeft = `${Math.max(0, depth - 1) * 0.8}rem`;
      if (words.startsWith("***")) line.style.fontWeight = "700";
      return line;
    });
    steps.append(made("summary", turn.glance || (turn.title === SET_UP ? "the map is laid, tile by tile" : "step by step")), ...lines);
    return [made("h3", turn.title), ...(lines.length ? [steps] : [])];
  }));
  byId("all").textContent = whole ? "Show the last turns only" : "Show the whole game";
}

function showAll(view) {
  // Boards are compared with those at the last question to a person: what is marked is what the others did, too.
  before = now && view.choice > now.choice ? now.boards : [];
  now = view;
  showQuestion();
  showWonders();
  showBoards();
  showGhost();
  showMap();
  showLog();
  if (now.over) showEnd();
  else byId("end").hidden = true;
  if (document.activeElement === document.body) byId("question").focus({ preventScroll: true });
}

// ---------------------------------------------------------------------- hint

const percent = (chance) => `${(100 * chance).toFixed(1)}%`;

function showHint(found) {
  const after = found.chances[found.picked];
  const words = [made("b", `The thinker would choose: ${found.words}.`)];
  if (after !== undefined) words.push(` Chance to win: ${percent(found.before)} at the beginning of this turn, ${percent(after)} at its end if you follow.`);
  byId("advice").replaceChildren(...words);
  for (const button of byId("options").querySelectorAll("button")) {
    const index = Number(button.dataset.index);
    button.classList.toggle("advised", index === found.picked);
    button.querySelector(".chance")?.remove();
    if (found.chances[index] !== undefined) {
      const chance = made("span", percent(found.chances[index]), "chance");
      chance.setAttribute("aria-label", `, chance to win ${percent(found.chances[index])}`);
      button.append(chance);
    }
  }
  fit();
}

// ---------------------------------------------------------------------- the end

function showEnd() {
  const there = byId("end");
  there.hidden = false;
  there.replaceChildren(made("p", "The thinker is thinking …", "soft"));
  const at = now.stamp;
  // Not while the last answer is still being shown.
  setTimeout(() => now.stamp === at && ask("/api/end", "GET", (told) => there.replaceChildren(...claims(told), ...curve(told), ...costs(told))));
}

function row(tag, ...cells) {
  const line = made("tr");
  line.append(...cells.map((cell) => { const made_ = made(tag); made_.append(cell); return made_; }));
  return line;
}

function claims(told) {
  const table = made("table");
  table.append(row("th", "player", "victory cards", "claimed by"));
  told.seats.forEach((seat, k) => table.append(row("td", `${k + 1} ${seat.leader}, ${seats[k] === "me" ? "you" : seats[k]}${seat.won ? " – won" : ""}`,
    `${seat.claims.length} of ${seat.needed}`, seat.claims.map((claim) => `${claim.agenda} (round ${claim.round})`).join(", ") || "none")));
  return [made("h3", "Who claimed what"), table];
}

// A line a seat over the turns. Its number stands at its end, so that nothing depends on colour.
function curve(told) {
  const width = 520, height = 244, left = 36, right = 40, bottom = 38, top = 8;
  const last = Math.max(1, told.curve.length - 1);
  const x = (k) => left + (width - left - right) * k / last, y = (chance) => top + (height - top - bottom) * (1 - chance);
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 11 });
  const said = told.seats.map((seat, k) => `${seat.leader} ${percent(told.curve[0].chances[k])} to ${percent(told.curve[last].chances[k])}`);
  picture.setAttribute("aria-label", `Chances to win over the rounds: ${said.join(", ")}`);
  const text = (at, words, anchor) => { const label = drawn("text", { x: at[0], y: at[1], fill: "currentColor", "text-anchor": anchor }); label.textContent = words; picture.append(label); };
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(drawn("line", { x1: left, x2: width - right, y1: y(chance), y2: y(chance), stroke: "currentColor", "stroke-opacity": 0.2 }));
    text([left - 4, y(chance) + 4], `${100 * chance}%`, "end");
  }
  const rounds = told.curve[last].round, step = Math.max(1, Math.ceil(rounds / 8));
  for (let round = step; round <= rounds; round += step) text([x(told.curve.findIndex((each) => each.round === round)), height - 20], round, "middle");
  text([(left + width - right) / 2, height - 4], "round", "middle");
  const ends = told.seats.map((_, k) => [k, y(told.curve[last].chances[k])]).sort((a, b) => b[1] - a[1]);
  ends.forEach((end, place) => { if (place) end[1] = Math.min(end[1], ends[place - 1][1] - 12); });
  for (const [k, at] of ends) {
    const points = told.curve.map((each, turn) => `${x(turn).toFixed(1)},${y(each.chances[k]).toFixed(1)}`).join(" ");
    picture.append(drawn("polyline", { points, fill: "none", stroke: fills[k], "stroke-width": 2.5 }));
    text([width - right + 6, at + 4], String(k + 1), "start");
  }
  return [made("h3", "Chances to win over the rounds"), picture,
    made("p", `By the thinker's value network, after every turn. ${told.seats.map((seat, k) => `${k + 1} ${seat.leader}`).join(", ")}.`, "soft")];
}

function costs(told) {
  return told.costs.flatMap(({ seat, choices, n }) => {
    const title = made("h3", `The choices that cost ${told.seats[seat].leader} most`);
    if (!choices.length) return [title, made("p", `By the thinker's estimate, none of ${n} choices cost half a percentage point or more.`)];
    const table = made("table");
    table.append(row("th", "round", "your choice", "the thinker's", "chance to win"));
    for (const cost of choices) {
      const done = made("div");
      done.append(made("div", cost.question, "soft"), cost.done);
      table.append(row("td", String(cost.round), done, cost.better, `${percent(cost.chance)} instead of ${percent(cost.best)}`));
    }
    return [title, table, made("p", `Of ${n} choices. The chance to win is that at the end of the turn, averaged over 8 throws of the dice.`, "soft")];
  });
}

// ---------------------------------------------------------------------- keys

function move(step) {
  const buttons = [...byId("options").querySelectorAll("button")];
  if (!buttons.length) return;
  const at = buttons.indexOf(document.activeElement);
  buttons[at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length].focus();
}

document.addEventListener("keydown", (event) => {
  if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { ArrowDown: () => move(1), ArrowUp: () => move(-1), u: undo, h: hint, Escape: () => { showGhost(); showOptions(everything()); },
    ...(laysTile() ? { r: () => ghost >= 0 && showTile(turned(false)), f: () => ghost >= 0 && showTile(turned(true)) } : {}) };
  const number = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
  if (number && filtered && number <= filtered.length) { event.preventDefault(); answer(filtered[number - 1].index); }
  else if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
byId("turn").addEventListener("click", () => showTile(turned(false)));
byId("flip").addEventListener("click", () => showTile(turned(true)));
byId("lay").addEventListener("click", () => answer(ghost));
byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", hint);
byId("file").addEventListener("click", save);
byId("all").addEventListener("click", () => { whole = !whole; showLog(); });

/** Show a table: first what stays, then the game as it stands. */
async function begin() {
  now = null;
  await ask("/api/table", "GET", (table) => {
    ({ seats, own, fills, cards: cardTexts, unit: UNIT } = table);
    byId("title").textContent = table.title;
    document.title = `${table.title} – at the table – New Dawn Balance Lab`;
    byId("legend").setAttribute("viewBox", `0 0 ${table.legend_size.join(" ")}`);
    byId("legend").innerHTML = table.legend;
  });
  await ask("/api/view", "GET", showAll);
}
if ("served" in document.body.dataset) begin();
