// Returns what is wrong with the page as it is seen now, a line a fault: texts that are cut, overlap or are too pale, pictures
// that leave room beside them, tables that hide a little. Run by tests/analysis/test_pages.py with SMALLEST (letters of a
// picture, px), NEARLY (px that a table may not hide; 0: not looked at) and FILL (share of its room that a picture takes).
const LIMIT = 1.5;  // px by which anything may be off
const seen = (node) => { for (let e = node; e; e = e.parentElement) { const s = getComputedStyle(e); if (s.display === "none" || s.visibility === "hidden" || Number(s.opacity) === 0) return false; } return true; };
const words = (node) => node.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
const faults = [];
const tell = (what, ...texts) => faults.push([what, ...texts].join(" | "));

// --- the page
if (document.documentElement.scrollWidth > innerWidth + 1) tell("the page is wider than the window", document.documentElement.scrollWidth);

// --- texts of pictures: as turned boxes
function corners(text) {
  const b = text.getBBox(), m = text.getScreenCTM();
  const trim = b.height * .18;  // of a line's height letters do not fill
  return [[b.x, b.y + trim], [b.x + b.width, b.y + trim], [b.x + b.width, b.y + b.height - trim], [b.x, b.y + b.height - trim]]
    .map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
}
function bounds(box) {
  const [xs, ys] = [0, 1].map((axis) => box.map((corner) => corner[axis]));
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}
function apart(one, other) {  // by the separating axis theorem
  for (const box of [one, other]) for (let k = 0; k < 4; k++) {
    const [x1, y1] = box[k], [x2, y2] = box[(k + 1) % 4];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, nx = (y2 - y1) / length, ny = (x1 - x2) / length;
    const [a, b] = [one, other].map((each) => each.map(([x, y]) => nx * x + ny * y));
    if (Math.min(...a) >= Math.max(...b) - LIMIT || Math.min(...b) >= Math.max(...a) - LIMIT) return true;
  }
  return false;
}
for (const svg of document.querySelectorAll("svg")) {
  if (!svg.checkVisibility() || !svg.getClientRects().length) continue;
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim() && seen(text)).map((text) => [text, corners(text)]);
  const name = svg.getAttribute("aria-labelledby") || svg.getAttribute("aria-label") || svg.id;
  const small = texts.filter(([text, c]) => Math.hypot(c[3][0] - c[0][0], c[3][1] - c[0][1]) / .64 < SMALLEST * 1.1);
  if (small.length && svg.matches("svg.chart")) tell("small letters", name, small.length, words(small[0][0]), (Math.hypot(small[0][1][3][0] - small[0][1][0][0], small[0][1][3][1] - small[0][1][0][1]) / .64).toFixed(1));
  for (const [text, box] of texts) {
    if (box.some(([x, y]) => x < frame.left - LIMIT || x > frame.right + LIMIT || y < frame.top - LIMIT || y > frame.bottom + LIMIT)) tell("cut in a picture", name, words(text));
  }
  if (svg.matches(".bar, .map svg")) continue;
  const held = texts.map(([text, box]) => [text, box, bounds(box)]).sort((a, b) => a[2][0] - b[2][0]);
  held.forEach(([text, box, [, right, top, bottom]], i) => {
    for (let k = i + 1; k < held.length && held[k][2][0] < right; k++) {
      const [other, there, [, , above, below]] = held[k];
      if (above < bottom && top < below && !apart(box, there)) tell("overlap in a picture", name, words(text), words(other));
    }
  });
}

// --- texts of the page, line by line
const lines = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode, parent = node.parentElement;
  if (!node.textContent.trim() || parent.closest("svg, script, style, noscript, option, select, .pb-unseen, .unseen, .skip")) continue;
  if (!parent.checkVisibility({ visibilityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  let floats = false, clip = null;
  for (let e = parent; e && e !== document.body; e = e.parentElement) {
    const s = getComputedStyle(e);
    if (["sticky", "fixed"].includes(s.position)) floats = true;
    if (!clip && /auto|scroll|hidden|clip/.test(s.overflowX)) clip = e;
  }
  for (const r of range.getClientRects()) {
    if (r.width < 1 || r.height < 1) continue;
    if (!clip && (r.left < -LIMIT || r.right > innerWidth + LIMIT)) tell("beyond the window", words(node));
    if (clip) {
      const s = getComputedStyle(clip), c = clip.getBoundingClientRect();
      if (/hidden|clip/.test(s.overflowX) && s.textOverflow !== "ellipsis" && (r.right > c.right + LIMIT || r.left < c.left - LIMIT)) tell("cut", words(node));
    }
    if (!floats) lines.push({ node, parent, clip, left: r.left, right: r.right, top: r.top + r.height * .18, bottom: r.bottom - r.height * .18 });
  }
}
lines.sort((a, b) => a.top - b.top);
lines.forEach((one, i) => {
  for (let k = i + 1; k < lines.length && lines[k].top < one.bottom - LIMIT; k++) {
    const other = lines[k];
    if (other.node === one.node || other.clip !== one.clip) continue;
    if (other.left < one.right - LIMIT && one.left < other.right - LIMIT) tell("overlap", words(one.node), words(other.node));
  }
});

// --- tables: what little does not fit
for (const box of document.querySelectorAll(".scroll")) {
  if (!box.checkVisibility()) continue;
  const hidden = box.scrollWidth - box.clientWidth;
  if (hidden > 0 && hidden < NEARLY) tell("a table hides", hidden, (box.querySelector("table") || box).dataset.key || words(box.querySelector("th") || box));
}

// --- pictures that leave room beside them
for (const svg of document.querySelectorAll("svg.chart")) {
  if (!svg.checkVisibility() || svg.closest(".first")) continue;  // on the first screen the height is the limit
  const room = svg.closest("figure").getBoundingClientRect().width, wide = svg.getBoundingClientRect().width;
  const natural = parseFloat(svg.style.getPropertyValue("--width"));
  if (wide < FILL * room && wide < 1.2 * natural) tell("leaves room", svg.getAttribute("aria-labelledby"), Math.round(wide), Math.round(room));
}

// --- letters and what lies behind them
function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
canvas.canvas.width = canvas.canvas.height = 1;
const painted = new Map();
function paint(colours) {  // the colour that several, one upon the other, come to
  const key = colours.join("|");
  if (!painted.has(key)) {
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    painted.set(key, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return painted.get(key);
}
const told = new Set();
for (const { node, parent } of lines) {
  const behind = [];
  for (let e = parent; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)") behind.unshift(colour);
  }
  const back = paint(["Canvas", ...behind]), ink = paint(["Canvas", ...behind, getComputedStyle(parent).color]);
  const [pale, dark] = [luminance(ink), luminance(back)].sort((a, b) => b - a);
  const ratio = (pale + 0.05) / (dark + 0.05), key = `${ink} ${back}`;
  if (ratio < PALEST && !told.has(key)) { told.add(key); tell("pale", words(node), ratio.toFixed(1)); }
}
return faults;
