// The columns of a file with games (analysis/web/onefile.py), as tables of the engine: `counting.js` takes either.

const KINDS = { u1: [1, "getUint8"], u2: [2, "getUint16"], i4: [4, "getInt32"] };

/** Return what was compressed by the lab as `deflate-raw`. */
export async function expanded(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the numbers of a column. */
export function numbers(bytes, kind) {
  if (kind === "u1") return bytes;
  const [width, get] = KINDS[kind], view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.byteLength / width }, (_, at) => view[get](at * width, true));
}

/**
 * Return the tables of n games and their numbers (`ids`). `column(name)` gives {values, rows}; `names` are those of the run, by
 * kind. Rows are in the order of games and seats, those of wonders and agendas in that of their names; games count from 0 there.
 */
export function unpacked(column, names, n, players, victory, other) {
  const byName = (name, count) => Array.from({ length: count }, (_, at) => column(name).values.subarray(at * n, (at + 1) * n));
  const bySeat = (name) => {
    const { values } = column(name), found = new values.constructor(n * players);
    for (let seat = 0; seat < players; seat++) for (let game = 0; game < n; game++) found[game * players + seat] = values[seat * n + game];
    return found;
  };
  const games = { game_id: Int32Array.from({ length: n }, (_, at) => at), rounds: column("rounds").values };
  games.ending = Uint8Array.from(column("decided").values, (decided) => (decided ? victory : other));
  byName("cards", column("cards").rows).forEach((codes, at) => (games[`card_${at + 1}`] = Int16Array.from(codes, (code) => (code === 255 ? -1 : code))));
  const seats = Object.fromEntries(["leader", "strategy", "order", "won"].map((name) => [name, bySeat(name)]));
  seats.won = Float64Array.from(seats.won, (part) => part / 60);
  const id = column("id").values, ids = id.length === n ? id : Int32Array.from({ length: n }, (_, at) => id[0] + at);
  return { ids, games, seats, wonders: wondersOf(column, names.wonder.length, n), agendas: claimsOf(column, names.agenda.length, n, players) };
}

function wondersOf(column, count, n) {
  const rows = count * n, [built, builders, captured] = ["built", "builder", "captures"].map((name) => column(name).values);
  const found = { wonder: new Uint8Array(rows), game_id: new Int32Array(rows), builder: new Int8Array(rows).fill(-1), captures: new Uint16Array(rows) };
  Object.assign(found, { in_deck: column("deck").values, round_revealed: column("revealed").values, round_built: built });
  for (let row = 0, at = 0; row < rows; row++) {
    found.wonder[row] = row / n;
    found.game_id[row] = row % n;
    if (!built[row]) continue;
    found.builder[row] = builders[at];
    found.captures[row] = captured[at++];
  }
  const stray = column("stray").values, many = stray.length / 3;
  for (let k = 0; k < many; k++) found.captures[stray[k] * n + stray[many + k]] = stray[2 * many + k];
  return found;
}

function claimsOf(column, count, n, players) {
  const claims = [], places = n * players;
  for (let layer = 0; column(`claims${layer}`); layer++) {
    const { values } = column(`claims${layer}`);
    for (let at = 0; at < count * places; at++) if (values[at]) claims.push(at, values[at]);
  }
  const found = { agenda: new Uint8Array(claims.length / 2), game_id: new Int32Array(claims.length / 2), seat: new Uint8Array(claims.length / 2), round: new Uint16Array(claims.length / 2) };
  for (let row = 0; row < claims.length / 2; row++) {
    const at = claims[2 * row];
    found.agenda[row] = at / places;
    found.game_id[row] = (at % places) / players;
    found.seat[row] = at % players;
    found.round[row] = claims[2 * row + 1];
  }
  return found;
}
