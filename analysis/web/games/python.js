// What Python does otherwise than JavaScript, for functions of the lab that analysis/web/python_to_javascript.py has made scripts of: lists
// and tuples are arrays, dicts are maps. Arrays of a record (`recordOf`) count element by element, as numpy's do.

class Numbers extends Array {}

const numbers = (values) => Numbers.from(values), isList = Array.isArray;
const each = (x) => (isList(x) ? x : typeof x === "string" ? [...x] : x instanceof Map ? [...x.keys()] : [...x]);

/** Return a view of a record: its fields by name, numbers or arrays, read when they are first asked for; and its texts. */
export function recordOf(fields, layout) {
  const seen = new Map();
  const shaped = (values, shape, at = 0) => {
    const size = shape.slice(1).reduce((a, b) => a * b, 1);
    return numbers(Array.from({ length: shape[0] }, (_, k) => (shape.length > 1 ? shaped(values, shape.slice(1), at + k * size) : Number(values[at + k]))));
  };
  const read = (name) => (layout[name][2] ? shaped(fields.all(name), layout[name][2]) : Number(fields.number(name)));
  const texts = (field) => {
    if (!seen.has(`texts ${field}`)) seen.set(`texts ${field}`, fields.texts(field, true));
    return seen.get(`texts ${field}`);
  };
  return new Proxy({}, {
    get(_, name) {
      if (name === "texts") return texts;
      if (name === "bytes") return fields.bytes;
      if (!layout[name]) return undefined;
      if (!seen.has(name)) seen.set(name, read(name));
      return seen.get(name);
    },
  });
}

const truth = (x) => (x === null || x === undefined ? false : typeof x === "object" ? (x.size ?? x.length ?? 1) > 0 : Boolean(x));

function equal(a, b) {
  if (isList(a) !== isList(b)) return isList(a) ? numbers(a.map((x) => equal(x, b))) : isList(b) ? numbers(b.map((x) => equal(a, x))) : false;
  if (isList(a)) return a.length === b.length && a.every((x, k) => equal(x, b[k]));
  if (a instanceof Map && b instanceof Map) return a.size === b.size && [...a].every(([key, value]) => b.has(key) && equal(value, b.get(key)));
  return a === b || (typeof a === "boolean" && Number(a) === b) || (typeof b === "boolean" && a === Number(b));
}

const by = (f) => (a, b) => (a instanceof Numbers ? numbers(a.map((x, k) => f(x, isList(b) ? b[k] : b))) : f(a, b));
/** Return an operator on bits: JavaScript's own cut numbers to 32 bits; these are exact up to 53. */
const bits = (narrow, wide) => by((a, b) => (Math.max(Math.abs(a), Math.abs(b)) < 2 ** 31 ? narrow(a, b) : Number(wide(BigInt(a), BigInt(b)))));

function str(x) {
  if (x === true) return "True";
  if (x?.__format__) return x.__format__("");
  return x === false ? "False" : x === null || x === undefined ? "None" : String(x);
}

/** Return a number as a format of Python's says: `.2f`, `,`, `.1%`. */
function format(x, how) {
  if (x?.__format__) return x.__format__(how);
  if (how === "+d") return x < 0 ? String(x) : `+${x}`;
  const found = /^(,?)(?:\.(\d)([f%]))?$/.exec(how);
  if (!found) throw new Error(`the format ${how} is not known`);
  const text = found[2] ? fixed(found[3] === "%" ? 100 * x : x, Number(found[2])) : String(x), [whole, part] = text.split(".");
  return (found[1] ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole) + (part ? `.${part}` : "") + (found[3] === "%" ? "%" : "");
}

/** Return a number with so many digits, halves to even. */
function fixed(x, digits) {
  const scaled = Math.abs(x) * 2 ** (digits + 1), sign = x < 0 || Object.is(x, -0) ? "-" : "";
  if (!Number.isInteger(scaled) || scaled % 2 === 0) return sign + Math.abs(x).toFixed(digits);
  const below = Math.floor(Math.abs(x) * 10 ** digits);
  return sign + ((below % 2 ? below + 1 : below) / 10 ** digits).toFixed(digits);
}

/** A part of a list: from one place to before another. */
class Part {
  constructor(low, high) {
    Object.assign(this, { low, high });
  }
}

function at(x, ...places) {
  for (const place of places) {
    if (place instanceof Part) x = x.slice(place.low, place.high);
    else if (x instanceof Map) {
      if (!x.has(place)) throw new Error(`nothing is called ${str(place)}`);
      x = x.get(place);
    } else if (isList(place)) x = at(x, ...place);
    else if (typeof place === "string") x = x.__getitem__ ? x.__getitem__(place) : x[place];
    else x = x[Number(place) < 0 ? x.length + Number(place) : Number(place)];
  }
  if (x === undefined) throw new Error("a list has no such place");
  return x;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const stripped = (text, letters, ends) => {
  let [low, high] = [0, text.length];
  const gone = (letter) => (letters === undefined ? /\s/.test(letter) : letters.includes(letter));
  while (ends !== "end" && low < high && gone(text[low])) low++;
  while (ends !== "start" && low < high && gone(text[high - 1])) high--;
  return text.slice(low, high);
};

/** Return a text with values in the place of `{name:format}`; a format may hold such places, too. */
function filled(text, map) {
  let said = "";
  for (let k = 0; k < text.length; k++) {
    if (text[k] !== "{") {
      said += text[k];
      continue;
    }
    let end = k + 1;
    for (let depth = 1; depth; end++) depth += text[end] === "{" ? 1 : text[end] === "}" ? -1 : 0;
    const [name, , how] = TEXTS.partition(text.slice(k + 1, end - 1), ":"), value = at(map, name);
    said += how || value?.__format__ ? format(value, filled(how, map)) : str(value);
    k = end - 1;
  }
  return said;
}

const TEXTS = {
  lower: (x) => x.toLowerCase(), upper: (x) => x.toUpperCase(), isupper: (x) => x !== x.toLowerCase() && x === x.toUpperCase(), strip: (x, letters) => stripped(x, letters),
  rstrip: (x, letters) => stripped(x, letters, "end"), lstrip: (x, letters) => stripped(x, letters, "start"), replace: (x, a, b) => x.replaceAll(a, () => b),
  split: (x, by) => (by === undefined ? x.split(/\s+/).filter(Boolean) : x.split(by)), join: (x, all) => each(all).join(x), index: (x, other) => x.indexOf(other),
  startswith: (x, all) => (isList(all) ? all : [all]).some((one) => x.startsWith(one)), endswith: (x, end) => x.endsWith(end),
  removeprefix: (x, start) => (x.startsWith(start) ? x.slice(start.length) : x), removesuffix: (x, end) => (x.endsWith(end) ? x.slice(0, x.length - end.length) : x),
  count: (x, one) => x.split(one).length - 1, format_map: (x, map) => filled(x, map),
  rpartition: (x, by) => { const k = x.lastIndexOf(by); return k < 0 ? ["", "", x] : [x.slice(0, k), by, x.slice(k + by.length)]; },
  partition: (x, by) => { const k = x.indexOf(by); return k < 0 ? [x, "", ""] : [x.slice(0, k), by, x.slice(k + by.length)]; },
  format: (x, ...given) => { let next = 0; return x.replace(/\{(\w*)\}/g, (_, name) => str(/^\d/.test(name) ? given[name] : name ? given.at(-1)[name] : given[next++])); },
};
const LISTS = {
  append: (x, one) => { x.push(one); return null; }, extend: (x, more) => { x.push(...each(more)); return null; }, insert: (x, at, one) => { x.splice(at, 0, one); return null; },
  count: (x, one) => x.filter((other) => equal(other, one)).length,
  sum: (x) => x.flat(9).reduce((a, b) => a + Number(b), 0), tolist: (x) => x, index: (x, one) => x.findIndex((other) => equal(other, one)), items: (x) => x,
  reshape: (x, rows, width) => Array.from({ length: rows }, (_, k) => x.slice(k * width, (k + 1) * width)),
};
const DICTS = {
  get: (x, key, other = null) => (x.has(key) ? x.get(key) : other), items: (x) => [...x.entries()], keys: (x) => [...x.keys()], values: (x) => [...x.values()],
  setdefault: (x, key, value) => { if (!x.has(key)) x.set(key, value); return x.get(key); },
};
const PATTERNS = {
  search: (x, text) => { const found = x.exec(text); return found ? { start: () => found.index, end: () => found.index + found[0].length, group: () => found[0] } : null; },
  fullmatch: (x, text) => { const found = new RegExp(`^(?:${x.source})$`).exec(text); return found ? { groups: () => found.slice(1) } : null; },
  sub: (x, other, text) => text.replace(new RegExp(x.source, "g"), () => other),
};

function call(x, name, ...given) {
  const table = typeof x === "string" ? TEXTS : isList(x) ? LISTS : x instanceof Map ? DICTS : x instanceof RegExp ? PATTERNS : null;
  return table ? table[name](x, ...given) : x[name](...given);
}

const order = (a, b) => {
  if (!isList(a)) return a < b ? -1 : a > b ? 1 : 0;
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (order(a[k], b[k])) return order(a[k], b[k]);
  return a.length - b.length;
};
const options = (given) => (given.length && given.at(-1) && Object.getPrototypeOf(given.at(-1)) === Object.prototype ? given.at(-1) : {});
const listOf = (given) => (given.length === 1 || (given.length === 2 && Object.keys(options(given)).length) ? each(given[0]) : given);
const best = (given, better) => {
  const all = listOf(given), { default: other, key = (x) => x } = options(given);
  return all.length ? all.reduce((a, b) => (better(order(key(b), key(a))) ? b : a)) : other;
};

// Functions of the page that plays games, in the place of the lab's: `empty` and `laid` (games/sitting.js).
const HOSTED = {};
export const hosted = (functions) => Object.assign(HOSTED, functions);

const bitsOr = bits((a, b) => a | b, (a, b) => a | b);
export const py = {
  empty: (question) => HOSTED.empty(question), laid: (...given) => HOSTED.laid(...given), nothing: () => "",
  each, truth, equal, str, format, at, call, abs: Math.abs, bool: truth, float: Number, int: (x) => Math.trunc(Number(x)), cos: Math.cos, sin: Math.sin, sqrt: Math.sqrt,
  differ: (a, b) => { const found = equal(a, b); return isList(found) ? numbers(found.map((x) => !x)) : !found; },
  less: by((a, b) => a < b), same: (a, b) => (a ?? null) === (b ?? null), floor: by((a, b) => Math.floor(a / b)),
  both: bits((a, b) => a & b, (a, b) => a & b), either: (a, b) => (a instanceof Map ? new Map([...a, ...b]) : bitsOr(a, b)), unlike: bits((a, b) => a ^ b, (a, b) => a ^ b),
  left: by((a, n) => a * 2 ** n), right: by((a, n) => Math.floor(a / 2 ** n)),
  add: (a, b) => (isList(a) ? [...a, ...b] : a + b), minus: (a, b) => (a instanceof Set ? new Set([...a].filter((x) => !b.has(x))) : a - b), modulo: (a, b) => ((a % b) + b) % b,
  times: (a, b) => (typeof a === "string" ? a.repeat(Math.max(0, Number(b))) : isList(a) ? Array.from({ length: Math.max(0, Number(b)) }, () => a).flat() : typeof b === "string" || isList(b) ? py.times(b, a) : a * b),
  text: (...parts) => parts.map(str).join(""), and: (a, b) => (truth(a) ? b() : a), or: (a, b) => (truth(a) ? a : b()),
  part: (low, high) => new Part(low, high), last: (x) => ({ set value(one) { x[x.length - 1] = one; } }),
  place: (x, k) => ({ set value(one) { if (x instanceof Map) x.set(k, one); else x[Number(k)] = one; } }), len: (x) => x.size ?? x.length,
  within: (x, all) => (typeof all === "string" ? all.includes(x) : all instanceof Map || all instanceof Set ? all.has(x) : all.some((one) => equal(one, x))),
  any: (all) => each(all).some(truth), all: (all) => each(all).every(truth), list: (x = []) => [...each(x)], tuple: (x = []) => [...each(x)], set: (x = []) => new Set(each(x)),
  range: (a, b, step = 1) => { const [low, high] = b === undefined ? [0, a] : [a, b], found = []; for (let k = low; step > 0 ? k < high : k > high; k += step) found.push(k); return found; },
  enumerate: (all) => each(all).map((x, k) => [k, x]), zip: (...all) => each(all[0]).map((_, k) => all.map((one) => each(one)[k])).slice(0, Math.min(...all.map((one) => each(one).length))),
  map: (f, all) => each(all).map((x) => f(x)), filter: (f, all) => each(all).filter((x) => truth(f ? f(x) : x)), next: (all, other) => (all.length ? all[0] : other),
  sum: (all) => each(all).reduce((a, b) => a + Number(b), 0), max: (...given) => best(given, (x) => x > 0), min: (...given) => best(given, (x) => x < 0),
  sorted: (all, { key = (x) => x } = {}) => [...each(all)].sort((a, b) => order(key(a), key(b))), round: (x, digits = 0) => Number(fixed(x, digits)), chr: (x) => String.fromCharCode(x), ord: (x) => x.charCodeAt(0),
  divmod: (a, b) => [Math.floor(a / b), py.modulo(a, b)], dict: Object.assign((x = []) => new Map(x), { fromkeys: (keys, value = null) => new Map(each(keys).map((key) => [key, value])) }),
  getattr: (x, name) => x[name], namespace: (map) => Object.fromEntries(map), pairwise: (all) => each(all).slice(1).map((x, k) => [all[k], x]),
  escape: (text) => escaped(str(text)), quoteattr: (text) => `"${escaped(text)}"`,
  written: (r, kind) => r.texts(FIELD[kind]).filter((text) => text), name_of: (r, kind, code) => r.texts(FIELD[kind])[code],
  kind: (methods) => (...given) => {
    const made = {};
    for (const [name, method] of Object.entries(methods)) made[name] = (...more) => method(made, ...more);
    if (made.__init__) made.__init__(...given);
    return made;
  },
};

const FIELD = {};

/** Take the names of the fields of the rules that hold names, by kind. */
export const fieldsOfNames = (fields) => Object.assign(FIELD, fields);

/** Return a value as JSON has it: objects in the place of maps. */
export function plain(x) {
  if (x instanceof Map) return Object.fromEntries([...x].map(([key, value]) => [key, plain(value)]));
  return isList(x) ? Array.from(x, plain) : x;
}
