// The games of a file, as the explorer asks for them: the desk, and what plays a game again.

import { Desk } from "./desk.js";
import { numbers, unpacked } from "./packed.js";
import { speak, WORDS } from "../static/words.js";

/** Return the desk of the explorer; `read` promises the bytes of a part of the file, `load` a module that few need. */
export async function begun(read, load) {
  const json = async (name) => JSON.parse(new TextDecoder().decode(await read(name)));
  const [run, words] = await Promise.all([json("run.json"), json("words.json")]);
  speak(words);
  const columns = new Map(await Promise.all(run.columns.map(async ([name, kind, rows]) => [name, { values: numbers(await read(`columns/${name}`), kind), rows }])));
  const victory = WORDS.endings.indexOf("victory"), other = WORDS.endings.findIndex((_, code) => code !== victory);
  const desk = new Desk(run, unpacked((name) => columns.get(name), run.names, run.games, run.players, victory, other));
  return { root: "explore/", answer: (path) => desk.answer(path), replay: (game) => replayed(run, desk, game, read, load) };
}

/** Return elements that show a game again, or why this file cannot and the command of the lab that does. */
async function replayed(run, desk, game, read, load) {
  const command = run.replay.command.replaceAll("NUMBER", game);
  if (run.replay.why) return { why: run.replay.why, command };
  const { film } = await load("replay.js"), { tables, page } = await film(run, game, read);
  if (!desk.isGame(game, tables)) return { why: "The engine in this file plays another game than the run has; the lab can tell why:", command };
  const address = URL.createObjectURL(new Blob([page], { type: "text/html" })), name = `game-${game}.html`;
  const shown = Object.assign(document.createElement("iframe"), { srcdoc: page, title: `Game ${game}, turn by turn`, className: "film" });
  const saved = Object.assign(document.createElement("a"), { href: address, download: name, textContent: `Save it as ${name}` }), line = document.createElement("p");
  line.append("Played again: the same game as in the tables. ", saved);
  return { shown: [line, shown], command };
}
