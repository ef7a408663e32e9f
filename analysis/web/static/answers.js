// What is said of the games so far: tables, sentences and a headline. Nothing is compared where the lab would not.

import { compared } from "./comparing.js";
import { length, rounds, victory, wonders } from "./counting.js";
import { fixed } from "./format.js";
import { comparing, hasTeams, slug } from "./question.js";
import { change, comparedFindings, inUnits, leadersFindings, strengthOf } from "./sentences.js";
import { FAR, having, judged, verdictOf } from "./statistics.js";
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
  const found = { games: sums.games, tables: {}, files: {}, findings: [], untold: untold(question), elsewhere: untold(question) !== "", length: length(sums) };
  found.tables.wonders = wonders(sums, names, question.players);
  found.tables.agendas = victory(sums, names, question.players);
  found.tables.length = rounds(sums);
  if (!found.untold) {
    try {
      const data = outcomes(sums.tables, question.players, names.leader);
      found.tables.leaders = judged(strengths(data), "points", WORDS.points, sums.games);
      found.files.leaders = found.tables.leaders.map(({ rank, ...row }) => row); // a place without those that are possible says too much
      found.tables.order = judged(turnOrder(data), "points", WORDS.points, sums.games, "STRENGTH", "turn order");
    } catch (error) {
      if (!(error instanceof Untold)) throw error;
      found.untold = error.message;
    }
  }
  const leaders = found.tables.leaders ?? [], about = leaders.filter((row) => touched(question).includes(slug(row.leader)));
  const first = about.map((row) => ({ text: ofAsked(row), certainty: row.certainty }));
  if (comparing(question)) {
    const shares = compared(pairs, names), rows = inUnits(shares);
    found.tables.compared = rows;
    // As a file the table is that of `newdawn compare`, in its unit and by its names.
    found.files.compared = shares.map(({ difference_low: low, difference_high: high, ...row }) => ({ ...row, low, high }));
    const own = about.map((row) => rows.find((one) => one.group === "leaders" && one.whom === row.leader)).filter(Boolean);
    first.push(...own.map((row) => ({ text: `Against the printed rules, with leaders as they were dealt, ${ofChange(row)}: ${change(row)}.`, certainty: row.certainty })));
    found.findings = [...first, ...comparedFindings(rows, own)];
  } else {
    const rest = leadersFindings(leaders);
    found.findings = [...first.filter((one) => !rest.some((other) => other.text === one.text)), ...rest];
  }
  const changed = [...Object.keys(question.changes), ...(question.pack?.changes ?? [])], apart = [];
  if (comparing(question) && changed.some((path) => /^leaders\.\w+\.available(:|$)/.test(path))) apart.push("The rulesets deal different leaders, so pairs share maps and decks, but not always leaders.");
  if (comparing(question) && hasTeams(question)) apart.push("Under the house rules partners share a win, half each: leaders' win rates lie nearer to the fair share there, also where nothing else changes.");
  found.findings.push(...apart.map((text) => ({ text, certainty: "limit" })));
  const open = having(leaders, FAR).flatMap((row) => WORDS.readings[question.box]?.[row.leader] ?? []);
  found.findings.push(...open.map((text) => ({ text, certainty: "limit" })));
  return found;
}

// A leader whose rules are changed is spoken of whatever its verdict: who is undecided is not the leader.
const STARTS = {
  ABOVE: (leader) => `${leader} is above the fair share, by how much is unclear`, BELOW: (leader) => `${leader} is below the fair share, by how much is unclear`,
  UNDECIDED: (leader) => `Whether ${leader} is balanced is undecided`,
};

function ofAsked(row) {
  const verdict = verdictOf(row), start = STARTS[verdict]?.(row.leader);
  if (verdict === "NOT_COMPARED") return `${row.leader} is not compared, for few games or hardly a win or a loss (n = ${fixed(row.decided, 0)}).`;
  return start ? strengthOf(row).replace(`${row.leader} is ${row.verdict}`, start) : strengthOf(row);
}

function ofChange({ whom, verdict, ...row }) {
  return verdictOf(row) === "UNDECIDED" ? `whether ${whom}'s win rate changes is undecided` : `${whom}'s win rate is ${verdict}`;
}

/** Return the slugs of the leaders whose own rules are changed. */
function touched(question) {
  return [...new Set(Object.keys(question.changes).filter((path) => path.startsWith("leaders.")).map((path) => path.split(".")[1]))];
}
