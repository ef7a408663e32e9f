// What the engine says of itself (engine.json), as the page asks for it.

const KNOWN = new Map();

/** Return the names of a box by their codes: leader, agenda, card, wonder, and `facts` (type and era) of wonders. */
export function namesOf(info, box) {
  if (!KNOWN.has(box)) {
    const { leaders, agendas, victoryCards, wonders, wonderTypes, wonderEras } = info.boxes[box];
    const facts = Object.fromEntries(wonders.map((name, code) => [name, [wonderTypes[code], wonderEras[code]]]));
    KNOWN.set(box, { leader: leaders, agenda: agendas, card: victoryCards, wonder: wonders, facts });
  }
  return KNOWN.get(box);
}

/** Return the rows of the engine's form as this page has them: with `values`, or a `range` of whole numbers. */
export function rowsOf(form) {
  return form.rows.map(({ key, title, section, text, kind, value, values, least, most }) => {
    const range = kind !== "number" ? null : values ? whole(values) : [least, most];
    return { key, title, section, text, kind, value, ...(range ? { range } : { values }) };
  });
}

/** Return the ends of numbers that lack none between; null for others. */
function whole(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high - low + 1 === values.length ? [low, high] : null;
}

export const boxesOf = (info) => Object.keys(info.boxes);

/** Return the strategies that know a box with so many players: name, description, whether it is slow. */
export const strategiesOf = (info, box, players) => info.boxes[box].strategies.filter((one) => one.weights[players]);
