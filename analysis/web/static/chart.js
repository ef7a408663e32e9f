// Pictures: figures with their intervals, one a line, against a value and the margin around it; games by the round they ended in.

import { svg } from "./dom.js";
import { withMinus } from "./format.js";
import { verdictOf } from "./statistics.js";

const LINE = 24, TOP = 8, FOOT = 40;

let pen = null;

/** Return how wide a name is in a picture. */
function wide(text) {
  pen ??= Object.assign(document.createElement("canvas").getContext("2d"), { font: `bold 13px ${getComputedStyle(document.body).fontFamily}` });
  return pen.measureText(text).width;
}

/** Return round numbers between two ends, about so many. */
export function ticks(low, high, many = 5) {
  const raw = (high - low) / many, unit = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find((one) => one * unit >= 0.75 * raw) * unit;
  const found = [];
  for (let x = Math.ceil(low / step) * step; x <= high + 1e-9; x += step) found.push(Math.round(x / step) * step);
  return found.map((x) => Number(x.toPrecision(12)));
}

/**
 * Return a picture of rows {name, value, low, high, verdict}: a mark with its interval each, as the lab draws them (filled: beyond
 * the margin; half-filled: size unclear; square: within it). Without verdicts (`told`) all marks are open.
 */
export function intervals(rows, { against, margin, unit, label, width, told = true }) {
  const names = 12 + Math.max(...rows.map((row) => wide(row.name))), right = 14;
  const ends = rows.flatMap((row) => [row.low, row.high, row.value]).filter(Number.isFinite);
  let [low, high] = [Math.min(against - 1.6 * margin, ...ends), Math.max(against + 1.6 * margin, ...ends)];
  const room = 0.03 * (high - low);
  [low, high] = [low - room, high + room];
  const x = (value) => names + ((value - low) / (high - low)) * (width - names - right), height = TOP + LINE * rows.length + FOOT;
  const bottom = TOP + LINE * rows.length, clear = (value) => value.toFixed(1);
  const marks = rows.map((row, i) => {
    const y = TOP + LINE * (i + 0.5), verdict = told ? verdictOf(row) : "UNDECIDED", shown = Number.isFinite(row.value);
    return svg("g", { class: `mark ${row.marked ? "marked" : ""}` },
      svg("text", { x: names - 8, y: y + 4.5, "text-anchor": "end" }, row.name),
      shown && Number.isFinite(row.low) ? svg("line", { class: "reach", x1: clear(x(row.low)), x2: clear(x(row.high)), y1: y, y2: y }) : null,
      shown ? mark(verdict, x(row.value), y) : null);
  });
  const scale = ticks(low, high, width < 480 ? 4 : 7).map((value) => svg("g", { class: "tick" },
    svg("line", { x1: clear(x(value)), x2: clear(x(value)), y1: TOP, y2: bottom }),
    svg("text", { x: clear(x(value)), y: bottom + 16, "text-anchor": "middle" }, withMinus(`${value > 0 && against === 0 ? "+" : ""}${value}${unit}`))));
  return svg("svg", { class: "chart", role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}`, style: `--width:${width}px` },
    svg("rect", { class: "margin", x: clear(x(against - margin)), width: clear(x(against + margin) - x(against - margin)), y: TOP, height: bottom - TOP }),
    scale, svg("line", { class: "against", x1: clear(x(against)), x2: clear(x(against)), y1: TOP, y2: bottom }), marks,
    svg("text", { class: "label", x: names + (width - names - right) / 2, y: height - 4, "text-anchor": "middle" }, label));
}

function mark(verdict, x, y) {
  const at = { cx: x.toFixed(1), cy: y, r: 5.2 };
  if (verdict === "WITHIN") return svg("rect", { class: "dot open", x: (x - 4.6).toFixed(1), y: y - 4.6, width: 9.2, height: 9.2 });
  if (verdict === "FAR_ABOVE" || verdict === "FAR_BELOW") return svg("circle", { class: "dot full", ...at });
  const half = verdict === "ABOVE" || verdict === "BELOW";
  return svg("g", {}, svg("circle", { class: "dot open", ...at }),
    half ? svg("path", { class: "dot full", d: `M${x.toFixed(1)} ${y - 5.2} a5.2 5.2 0 0 1 0 10.4 z` }) : null);
}

/** Return a picture of the games by the round in which they ended: won, and left unfinished above. */
export function rounds(rows, { label, width }) {
  const height = 200, left = 46, bottom = height - 40, low = rows[0].rounds, high = rows.at(-1).rounds, step = (width - left - 10) / (high - low + 1);
  const most = Math.max(...rows.map((row) => row.victories + row.unfinished)), y = (n) => bottom - (n / most) * (bottom - 12), x = (round) => left + (round - low) * step;
  const bars = rows.map((row) => svg("g", {},
    svg("rect", { class: "bar", x: x(row.rounds).toFixed(1), width: Math.max(step - 1.5, 1).toFixed(1), y: y(row.victories).toFixed(1), height: (bottom - y(row.victories)).toFixed(1) }),
    row.unfinished ? svg("rect", { class: "bar other", x: x(row.rounds).toFixed(1), width: Math.max(step - 1.5, 1).toFixed(1), y: y(row.victories + row.unfinished).toFixed(1), height: (y(row.victories) - y(row.victories + row.unfinished)).toFixed(1) }) : null));
  const side = ticks(0, most, 4).map((n) => svg("g", { class: "tick" }, svg("line", { x1: left, x2: width - 10, y1: y(n), y2: y(n) }),
    svg("text", { x: left - 6, y: y(n) + 4, "text-anchor": "end" }, n.toLocaleString("en"))));
  const foot = ticks(low, high, width < 480 ? 5 : 10).filter(Number.isInteger).map((round) => svg("g", { class: "tick" },
    svg("text", { x: x(round) + step / 2, y: bottom + 16, "text-anchor": "middle" }, String(round))));
  return svg("svg", { class: "chart", role: "img", "aria-label": label, viewBox: `0 0 ${width} ${height}`, style: `--width:${width}px` }, side, bars, foot,
    svg("text", { class: "label", x: left + (width - left) / 2, y: height - 4, "text-anchor": "middle" }, "rounds"));
}
