// What is said of the games so far: tables, sentences and a headline. Nothing is compared where the lab would not.

import { compared } from "./comparing.js";
import { length, rounds, victory, wonders } from "./counting.js";
import { fixed, rate } from "./format.js";
import { aboutLeader, comparing, hasTeams, pathsOf, several, slug, touched } from "./question.js";
import { change, comparedFindings, inUnits, leadersFindings, strengthOf } from "./sentences.js";
import { FAR, having, judged, verdictOf } from "./statistics.js";
import { outcomes, strengths, turnOrder, Untold } from "./strength.js";
import { variants, variantsFindings } from "./variants.js";
import { own, WORDS } from "./words.js";

/** Return why leaders are not compared by this page; '' where they are. */
export function untold(question) {
  if (new Set(question.strategies.names).size > 1) return "several strategies play, and the page does not separate leaders from who plays them";
  if (hasTeams(question)) return "partners win together, and the page's model knows single winners only";
  return "";
}

const TEAMS = "Under the house rules partners share a win, half each: leaders' win rates lie nearer to the fair share there, also where nothing else changes.";
const BAND = ["good_players", "good_players_low", "good_players_high"];

/** Return rows with what good players come to, where the lab has played the same game with them: the lab's `with_good_players`. */
function withGoodPlayers(rows, question, name, figure) {
  const plain = !pathsOf(question).length && question.leaders.kind === "all", band = plain && WORDS.goodPlayers[question.box][question.players];
  return band ? rows.map((row) => ({ ...row, ...Object.fromEntries(BAND.map((column, i) => [column, own(band, figure + row[name])?.[i] ?? NaN])) })) : rows;
}

/** Say which world wonder good players build most otherwise, if any one does. */
function builtOtherwise(rows) {
  const off = ({ build_rate_low: low, build_rate_high: high, good_players_low: least, good_players_high: most }) => Math.max(least - high, low - most);
  const [row] = rows.filter((one) => off(one) > 0).sort((a, b) => off(b) - off(a));
  return row ? [`World wonders depend on who plays: ${row.wonder} is built in ${rate(row.build_rate)} of the games with it in a deck, and by good players in ${rate(row.good_players, row.good_players_low, row.good_players_high)} (where another good player would lie, 95%).`] : [];
}

/** Return the answer to which of several variants is best: their names are `labels`, the printed rules first. */
function ofVariants(question, names, sums, tally, labels) {
  const leader = aboutLeader(question), rows = variants(tally, names, labels, question.players, leader), limits = hasTeams(question) ? [TEAMS] : [];
  const findings = [...variantsFindings(rows, leader), ...limits.map((text) => ({ text, certainty: "limit" }))];
  return { games: sums.games, tables: { variants: rows }, files: {}, findings, untold: "", elsewhere: false, length: length(sums) };
}

/** Return the answer to a question from the sums of its games, and of pairs of games where rules are compared. */
export function answer(question, names, sums, pairs, labels) {
  if (several(question)) return ofVariants(question, names, sums, pairs, labels);
  const found = { games: sums.games, tables: {}, files: {}, findings: [], untold: untold(question), elsewhere: untold(question) !== "", length: length(sums) };
  found.tables.wonders = withGoodPlayers(wonders(sums, names, question.players), question, "wonder", "build rate of ");
  found.tables.agendas = withGoodPlayers(victory(sums, names, question.players), question, "agenda", "claim rate of ");
  found.tables.length = rounds(sums);
  if (!found.untold) {
    try {
      const data = outcomes(sums.tables, question.players, names.leader);
      found.tables.leaders = withGoodPlayers(judged(strengths(data), "points", WORDS.points, sums.games), question, "leader", "win rate of ");
      found.tables.order = judged(turnOrder(data), "points", WORDS.points, sums.games, "STRENGTH", "turn order");
    } catch (error) {
      if (!(error instanceof Untold)) throw error;
      found.untold = error.message;
    }
  }
  const leaders = found.tables.leaders ?? [], { tables } = found, asked = (section) => touched(question, section), far = (row) => Math.abs(row.points);
  const about = leaders.filter((row) => asked("leaders").includes(slug(row.leader))).sort((a, b) => far(b) - far(a)).slice(0, WORDS.most);
  const built = tables.wonders.filter((row) => asked("wonders").includes(slug(row.wonder))).slice(0, WORDS.most);
  const first = about.map((row) => ({ text: ofAsked(row), certainty: row.certainty }));
  if (comparing(question)) {
    const shares = compared(pairs, names), rows = inUnits(shares);
    found.tables.compared = rows;
    // As a file the table is that of `newdawn compare`, in its unit and by its names.
    found.files.compared = shares.map(({ difference_low: low, difference_high: high, ...row }) => {
      const wanted = WORDS.halfWidth * (row.figure === "rounds" ? row.a : 1);
      return { ...row, low, high, enough: row.half_width <= wanted, games_needed: Math.ceil(row.pairs * (row.half_width / wanted) ** 2) };
    });
    const of = (group, whom) => rows.find((one) => one.group === group && one.whom === whom);
    const changed = [...about.map((row) => of("leaders", row.leader)), ...built.map((row) => of("wonders", row.wonder))].filter(Boolean);
    first.push(...changed.map((row) => ({ text: `Against the printed rules${row.group === "leaders" ? ", with leaders as they were dealt" : ""}, ${ofChange(row)}: ${change(row)}.`, certainty: row.certainty })));
    first.push(...built.filter((row) => !of("wonders", row.wonder)).map(ofBuilt));
    found.findings = [...first, ...comparedFindings(rows, changed)];
  } else {
    first.push(...built.map(ofBuilt));
    const rest = leadersFindings(leaders);
    found.findings = [...first.filter((one) => !rest.some((other) => other.text === one.text)), ...rest];
  }
  const paths = pathsOf(question), apart = [];
  if (comparing(question) && paths.some((path) => /^leaders\.\w+\.available(:|$)/.test(path))) apart.push("The rulesets deal different leaders, so pairs share maps and decks, but not always leaders.");
  if (comparing(question) && hasTeams(question)) apart.push(TEAMS);
  found.findings.push(...apart.map((text) => ({ text, certainty: "limit" })));
  const open = having(leaders, FAR).flatMap((row) => own(WORDS.readings[question.box] ?? {}, row.leader) ?? []);
  open.push(...builtOtherwise(tables.wonders));
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

function ofChange({ group, whom, verdict, ...row }) {
  const figure = `${whom}'s ${group === "leaders" ? "win" : "build"} rate`;
  return verdictOf(row) === "UNDECIDED" ? `whether ${figure} changes is undecided` : `${figure} is ${verdict}`;
}

/** Return what a world wonder comes to where there is nothing to compare it with. */
function ofBuilt({ wonder, n, build_rate: share, build_rate_low: low, build_rate_high: high }) {
  const text = n ? `${wonder} is built in ${rate(share, low, high)} of the games with it in a deck (n = ${fixed(n, 0)}).` : `${wonder} was in no game's deck.`;
  return { text, certainty: n < WORDS.smallSample ? "few" : "measured" };
}
