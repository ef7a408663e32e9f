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

export const boxesOf = (info) => Object.keys(info.boxes);

/** Return the strategies that know a box with so many players: name, description, whether it is slow. */
export const strategiesOf = (info, box, players) => info.boxes[box].strategies.filter((one) => one.weights[players]);
