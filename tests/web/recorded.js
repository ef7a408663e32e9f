// Stands for engine.js in tests of the page: it returns games that the lab has played before, over and over, each as fast as an
// engine would play it. With house rules they are those of the second recording.

const SPEED = 0.0008, SLOW = 0.006; // seconds a game
const SLOWLY = 14, FULL = 13; // seeds: with the first games are slow, with the second memory is full after the first games

export async function openEngine(read) {
  const json = async (name) => JSON.parse(new TextDecoder().decode(await read(name)));
  const info = await json("engine.json"), recorded = {};
  return {
    info,
    form: (box) => json(`form-${box}.json`), // {rows}
    rules: async (box, changes) => new Uint8Array([Object.keys(changes).length ? 1 : 0]),
    pack(bytes) {
      let about = {};
      try { about = JSON.parse(new TextDecoder().decode(bytes)); } catch { /* none of ours */ }
      if (!about.rules) throw new Error("this file is none that `newdawn web pack` wrote");
      return { ...about, changes: ["leaders.rome.start_trade_tokens.culture: 0 -> 3", "leaders.troy.available: (none) -> true"], notes: ["Troy: new"], digest: "0123456789abcdef0", rules: new Uint8Array([1]) };
    },
    names() {
      const { leaders, agendas, victoryCards, wonders } = Object.values(info.boxes)[0];
      return { leader: leaders, agenda: agendas, card: victoryCards, wonder: wonders };
    },
    async play(plan, [changed], first, n) {
      if (plan.seed === FULL && first >= 100) throw new Error("the memory of this tab is full: close other tabs");
      recorded[plan.box] ??= (await json(`recorded-${plan.box}.json`)).map(byGame);
      for (const end = performance.now() + 1000 * n * (plan.seed === SLOWLY ? SLOW : SPEED); performance.now() < end; );
      return played(recorded[plan.box][changed], first, n);
    },
  };
}

/** Return the tables with the rows of each game. */
function byGame(tables) {
  const games = tables.games.game_id.length, rows = {};
  for (const [table, columns] of Object.entries(tables)) {
    rows[table] = Array.from({ length: games }, () => []);
    columns.game_id.forEach((game, row) => rows[table][game].push(row));
  }
  return { tables, rows, games };
}

function played({ tables, rows, games }, first, n) {
  const found = {};
  for (const [table, columns] of Object.entries(tables)) {
    const kept = [];
    for (let game = first; game < first + n; game++) for (const row of rows[table][game % games]) kept.push([row, game]);
    found[table] = {};
    for (const [name, values] of Object.entries(columns)) {
      found[table][name] = Float64Array.from(kept, ([row, game]) => (name === "game_id" ? game : Number(values[row])));
    }
  }
  return found;
}
