// Plays the plans of a file with the engine of a folder, and writes the rows of each into files.
import fs from "node:fs";

const [, , folder, asked, out] = process.argv;
const {openEngine} = await import(`${folder}/engine.js`);
const engine = await openEngine(async name => new Uint8Array(fs.readFileSync(`${folder}/${name}`)));
for (const [k, {plan, changes, pack, first, games}] of JSON.parse(fs.readFileSync(asked)).entries()) {
  try {
    const rules = pack ? engine.pack(new Uint8Array(fs.readFileSync(pack))).rules : await engine.rules(plan.box, changes ?? {});
    const tables = await engine.play(plan, rules, first, games);
    for (const [name, bytes] of Object.entries(tables.bytes)) fs.writeFileSync(`${out}/${k}-${name}`, bytes);
    const shown = table => Object.fromEntries(Object.entries(table).map(([name, column]) => [name, [...column]]));
    fs.writeFileSync(`${out}/${k}.json`, JSON.stringify({names: tables.names, seats: shown(tables.seats), games: shown(tables.games)}));
  } catch (error) {
    fs.writeFileSync(`${out}/${k}-error`, error.message);
  }
}
