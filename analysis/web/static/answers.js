// What is said of the games so far: tables, sentences and a headline. Nothing is compared where the lab would not.

import { compared } from "./comparing.js";
import { length, rounds, victory, wonders } from "./counting.js";
import { comparing, hasTeams, slug } from "./question.js";
import { change, comparedFindings, inUnits, leadersFindings, strengthOf } from "./sentences.js";
import { FAR, having, judged } from "./statistics.js";
import { outcomes, strengths, turnOrder, Untold } from "./strength.js";
import { WORDS } from "./words.js";

/** Return why leaders are not compared by this page; '' where they are. */
export function untold(question) {
  if (new Set(question.strategies.names).size > 1) return "several strategies play, and the page does not separate leaders from who plays them";
  if (hasTeams(question)) return "partners win together, and the page's model knows single winners only";
  return "";
}

/** Return the answer to a question from the sums of its games, and of pairs of games where rules are compared. */
export function answer(question, names, sums, pairs) {
  const found = { games: sums.games, tables: {}, findings: [], headline: "", untold: untold(question), length: length(sums) };
  found.tables.wonders = wonders(sums, names, question.players);
  found.tables.agendas = victory(sums, names, question.players);
  found.tables.length = rounds(sums);
  if (!found.untold) {
    try {
      const data = outcomes(sums.tables, question.players, names.leader);
      found.tables.leaders = judged(strengths(data), "points", WORDS.points, sums.games);
      found.tables.order = judged(turnOrder(data), "points", WORDS.points, sums.games, "STRENGTH", "turn order");
    } catch (error) {
      if (!(error instanceof Untold)) throw error;
      found.untold = error.message;
    }
  }
  const leaders = found.tables.leaders ?? [], about = leaders.filter((row) => touched(question).includes(slug(row.leader)));
  const first = about.map((row) => ({ text: strengthOf(row), certainty: row.certainty }));
  if (comparing(question)) {
    const rows = inUnits(compared(pairs, names));
    found.tables.compared = rows;
    const own = about.map((row) => rows.find((one) => one.group === "leaders" && one.whom === row.leader)).filter(Boolean);
    first.push(...own.map((row) => ({ text: `Against the printed rules, ${row.whom}'s win rate is ${row.verdict}: ${change(row)}.`, certainty: row.certainty })));
    found.findings = [...first, ...comparedFindings(rows)];
  } else {
    const rest = leadersFindings(leaders);
    found.findings = [...first.filter((one) => !rest.some((other) => other.text === one.text)), ...rest];
  }
  const changed = Object.keys(question.changes), apart = [];
  if (comparing(question) && changed.some((path) => /^leaders\.\w+\.available$/.test(path))) apart.push("The rulesets deal different leaders, so pairs share maps and decks, but not always leaders.");
  if (comparing(question) && hasTeams(question)) apart.push("By the house rules partners share a win, half each: leaders' win rates lie nearer to the fair share there, also where nothing else changes.");
  found.findings.push(...apart.map((text) => ({ text, certainty: "limit" })));
  const open = having(leaders, FAR).flatMap((row) => WORDS.readings[question.box]?.[row.leader] ?? []);
  found.findings.push(...open.map((text) => ({ text, certainty: "limit" })));
  return found;
}

/** Return the slugs of the leaders whose own rules are changed. */
function touched(question) {
  return [...new Set(Object.keys(question.changes).filter((path) => path.startsWith("leaders.")).map((path) => path.split(".")[1]))];
}
