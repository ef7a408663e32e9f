// Tables for reading, and the same tables as files with every column.

import { h } from "./dom.js";
import { cell } from "./format.js";
import { known } from "./statistics.js";
import { WORDS } from "./words.js";

const TEXT = new Set(["text", "verdict"]);

/** Return a table of rows; without verdicts while games are being played. `first` names the column of row headings. */
export function table(rows, columns, { caption, told = true, marked = () => false } = {}) {
  const flag = rows.some((row) => row.small_sample), shown = columns.filter(({ kind, name, optional }) => (kind !== "flag" || flag) && (!optional || rows.some((row) => known(row[name]))));
  const head = shown.map(({ heading, meaning, kind }, i) => (
    h("th", { scope: "col", title: meaning || null, class: TEXT.has(kind) || !i ? "text" : null }, heading)));
  const body = rows.map((row) => h("tr", { class: [row.small_sample && "few", marked(row) && "marked"].filter(Boolean).join(" ") || null },
    shown.map((column, i) => one(row, column, i, told))));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)));
}

function one(row, column, i, told) {
  const text = cell(row, column);
  if (!i) return h("th", { scope: "row", class: "text" }, text);
  if (column.kind === "verdict" || /verdict$/.test(column.name)) {
    if (!told) return h("td", { class: "text" }, "…");
    return h("td", { class: "text" }, known(row[column.name]) && row[column.name] ? verdict(row[`${column.name}_key`], text) : "");
  }
  return h("td", { class: TEXT.has(column.kind) ? "text" : null }, text);
}

/** Return a verdict, by its name, as it looks everywhere. */
export function verdict(key, text) {
  return h("span", { class: `verdict ${WORDS.tones[key] ?? "open"}` }, text);
}

/** Return rows as CSV with every column that one of them has, as `--format csv` of the lab has them. */
export function csv(rows) {
  const names = [...new Set(rows.flatMap(Object.keys))], quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const value = (x) => (!known(x) ? "" : x === Infinity ? "inf" : typeof x === "boolean" ? (x ? "True" : "False") : String(x));
  return [names, ...rows.map((row) => names.map((name) => value(row[name])))].map((line) => line.map(quoted).join(",")).join("\n") + "\n";
}
