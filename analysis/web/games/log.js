// The log of people's games: what `newdawn plays import` reads (simulator/plays/page_log.py). It is kept in the browser until it is
// saved as a file; nothing leaves the browser by itself.

import { canonical } from "./deal.js";
import * as lab from "./lab.js";
import { plain } from "./python.js";
import { digest } from "./sha256.js";
import { ME } from "./sitting.js";

export const LOG_PROGRAM = "newdawn-balance-lab log", LOG_VERSION = 1;

/** Return a game as an entry of the log: `file` is the saved game, `changes` of the rules by form (null for a pack's). */
export function entryOf(file, line, changes, people) {
  const { digest: sum, ruleset: { data, ...rules }, answered, ...game } = file;
  const { seats, won, round, headline } = line;
  return {
    summary: { over: line.over, rounds: round, won, headline, seats }, people,
    game: { ...game, answered: [], ruleset: changes ? { ...rules, changes } : { ...rules, data } },
  };
}

/** Return the log as a file. */
export function logOf(games) {
  const content = { program: LOG_PROGRAM, version: LOG_VERSION, games };
  return JSON.stringify({ ...content, digest: digest(canonical(content)) });
}

/** Return a game in a line, for lists of games and for the log. */
export function lineOf(sitting, { names, players }) {
  const { over } = sitting, state = sitting.question?.game ?? sitting.now.state, people = names.flatMap((name, seat) => (name === ME ? [seat] : []));
  const leaders = state.leader.slice(0, players).map((code) => sitting.ground.rules.texts("leader_name")[code] ?? "");
  const won = over ? leaders.flatMap((_, seat) => (state.winner[seat] ? [seat] : [])) : [], claims = over ? plain(lab.seats_at_end(sitting.now)).map((seat) => seat.claims) : [];
  const seats = Array.from(leaders, (leader, seat) => ({ leader, player: names[seat], place: ((seat - state.opened + players) % players) + 1, claims: claims[seat] ?? [] }));
  return { over, round: state.round_number, people, leaders: [...leaders], seats, won: [...won], headline: over ? lab.headline(sitting.now) : "" };
}
