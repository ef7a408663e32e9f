// House rules as people write them: the part of YAML that such files need. Start with `yaml`.

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#[\]{}&*!|>%@`,?-][^#]*?|-?\d+):(?:\s+(.*))?$/;
const TRUE = /^(true|yes|on)$/i, FALSE = /^(false|no|off)$/i, NULL = /^(null|~|)$/i;
const MOST = 1_000_000; // characters

/** A list: no value of a form is one, so what stands in it is not kept. */
export const LIST = Symbol("list");

/** Return the value that a scalar stands for. */
function scalar(text) {
  if (/^"/.test(text)) return JSON.parse(text);
  if (/^'/.test(text) && !/^'(?:[^']|'')*'$/.test(text)) throw new SyntaxError("a quote is open");
  if (/^'/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  if (NULL.test(text)) return null;
  return /^[-+]?(0|[1-9]\d*)$/.test(text) ? Number(text) : text;
}

/** Return a line without its comment; quotes begin where a value does. */
function bare(line) {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    if (quote) quote = line[i] === quote && line[i - 1] !== "\\" ? "" : quote;
    else if (/["']/.test(line[i]) && /^$|[\s:,[{]$/.test(line.slice(0, i))) quote = line[i];
    else if (line[i] === "#" && /^$|\s$/.test(line.slice(0, i))) return line.slice(0, i).trimEnd();
  }
  return line.trimEnd();
}

/** Return the mapping of a text as a Map (in it: Maps, scalars, null and LIST); throw an error of one sentence with its line. */
export function yaml(text) {
  if (text.length > MOST) throw new Error("more than a million characters; is this the right file?");
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/).map((line) => (line === "---" ? "" : line));
  let at = 0;
  const wrong = (what, line = at) => new Error(`line ${line + 1}: ${what}`);
  const indentOf = (line) => /^ */.exec(line)[0].length;
  const there = () => {
    while (at < lines.length && !bare(lines[at]).trim()) at += 1;
    if (/^ *\t/.test(lines[at] ?? "")) throw wrong("expected spaces before a name, not a tab");
    return at < lines.length;
  };
  const listed = () => /^-( |$)/.test(lines[at].trimStart());
  const found = there() ? block(0) : new Map();
  if (there()) throw wrong("expected a name that begins where the others do");
  if (!(found instanceof Map)) throw new Error("expected a mapping of names to values");
  return found;

  function block(least) {
    const indent = indentOf(lines[at]);
    if (indent < least) return null;
    return listed() ? list(indent) : mapping(indent);
  }

  function list(indent) {
    for (at += 1; there() && (indentOf(lines[at]) > indent || (indentOf(lines[at]) === indent && listed())); at += 1);
    return LIST;
  }

  function mapping(indent) {
    const map = new Map();
    while (there() && indentOf(lines[at]) === indent && !listed()) {
      const line = at, [, key, rest = ""] = KEY.exec(bare(lines[at]).trim()) ?? [];
      if (key === undefined) throw wrong("expected `name: value`");
      const name = String(read(key, line));
      if (map.has(name)) throw wrong(`'${name}' appears twice`);
      at += 1;
      map.set(name, value(rest, indent, line));
    }
    return map;
  }

  function read(part, line) {
    try {
      return scalar(part);
    } catch {
      throw wrong("expected quotes around one text, closed on the same line", line);
    }
  }

  function value(rest, indent, line) {
    if (/^[&*!]/.test(rest)) throw wrong("this page reads no anchors, aliases or tags; write the value out", line);
    if (!rest) return there() && (indentOf(lines[at]) > indent || (indentOf(lines[at]) === indent && listed())) ? block(indent) : null;
    const further = []; // lines of the same value
    if (/^[|>][-+\d]*$/.test(rest)) {
      while (at < lines.length && (!lines[at].trim() || indentOf(lines[at]) > indent)) further.push(lines[at++].trim());
      return further.join(" ").trim();
    }
    if (/^[{[]/.test(rest)) {
      const open = (text) => text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "").replace(/[^[\]{}]/g, "").split("").reduce((n, c) => n + (/[{[]/.test(c) ? 1 : -1), 0);
      for (further.push(rest); open(further.join(" ")) > 0; at += 1) {
        if (at >= lines.length) throw wrong("a bracket is not closed", line);
        further.push(bare(lines[at]).trim());
      }
      return flow(further.join(" "), line);
    }
    while (there() && indentOf(lines[at]) > indent) further.push(bare(lines[at++]).trim());
    return read([rest, ...further].join(" "), line);
  }

  /** Return what stands between brackets, in one line. */
  function flow(inside, line) {
    let i = 0;
    const space = () => { while (inside[i] === " ") i += 1; };
    const token = (ends) => {
      const start = i, quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(inside.slice(i))?.[0];
      if (quoted) i += quoted.length;
      else while (i < inside.length && !ends.includes(inside[i]) && !(inside[i] === ":" && /^$|[ ,}]/.test(inside[i + 1] ?? ""))) i += 1;
      return read(inside.slice(start, i).trim(), line);
    };
    const item = () => (space(), inside[i] === "{" ? map() : inside[i] === "[" ? several() : token(",]}"));
    const after = (end) => {
      space();
      if (inside[i] === ",") return (i += 1), space(), inside[i] === end && Boolean((i += 1));
      if (inside[i] === end) return Boolean((i += 1));
      throw wrong(`expected , or ${end}`, line);
    };
    function map() {
      const found = new Map();
      i += 1;
      space();
      if (inside[i] === "}") return (i += 1), found;
      do {
        const name = String(token(",}"));
        space();
        if (inside[i] !== ":") throw wrong("expected `name: value` between { and }", line);
        if (found.has(name)) throw wrong(`'${name}' appears twice`, line);
        i += 1;
        found.set(name, item());
      } while (!after("}"));
      return found;
    }
    function several() {
      i += 1;
      space();
      if (inside[i] === "]") return (i += 1), LIST;
      do item(); while (!after("]"));
      return LIST;
    }
    const all = item();
    space();
    if (i < inside.length) throw wrong("expected nothing after the last bracket", line);
    return all;
  }
}

/** Return path and value of everything in a mapping that is no mapping itself. */
export function leaves(map, before = "") {
  return [...map].flatMap(([name, value]) => (value instanceof Map && value.size ? leaves(value, `${before}${name}.`) : [[before + name, value]]));
}
