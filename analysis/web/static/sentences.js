// What tables say in sentences: the twin of the lab's analysis/questions/leaders.py and compare.py. A sentence is read off the rows
// of a judged table and says nothing that these do not.

import { counted, fixed, gamesWords, listed, number, points, pointsOf, rate } from "./format.js";
import { FAR, DIFFERENT, having, known, stillNeeded, verdictOf, weakest } from "./statistics.js";
import { WORDS } from "./words.js";

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const pointsWords = (margin) => `${margin} point${margin === 1 ? "" : "s"}`;
const bySize = (rows, name) => [...rows].sort((a, b) => Math.abs(b[name]) - Math.abs(a[name]));

function someOf(names) {
  const more = names.length - WORDS.most;
  return more <= 0 ? listed(names) : `${names.slice(0, WORDS.most).join(", ")} (${more} more: table)`;
}

// --- Leaders

/** Return what the leaders' table says: a sentence for each of those furthest off, and one for each other verdict. */
export function leadersFindings(rows, margin = WORDS.points) {
  const off = bySize(having(rows, FAR), "points").slice(0, WORDS.most), rest = rows.filter((row) => !off.includes(row));
  const found = off.map((row) => ({ text: strengthOf(row), certainty: row.certainty }));
  for (const [verdict, start] of Object.entries(WORDS.groups)) {
    const part = having(rest, [verdict]);
    if (!part.length) continue;
    const also = having(rows, [verdict]).length > part.length ? "also " : "";
    const words = start.replace("{also}", also).replace("{margin}", pointsWords(margin));
    const missed = verdict === "UNDECIDED" ? missedIn(part) : "";
    found.push({ text: `${upper(words)}${someOf(part.map((row) => row.leader))}.${missed}`, certainty: weakest(part.map((row) => row.certainty)) });
  }
  return found;
}

/** Return how far a leader is from the fair share. */
export function strengthOf(row) {
  const [side, sign] = row.points > 0 ? ["above", 1] : ["below", -1];
  const ends = [row.points_all_low, row.points_all_high].map((x) => sign * x).sort((a, b) => a - b);
  const size = number(sign * row.points, ...ends), n = fixed(row.decided, 0);
  return `${row.leader} is ${row.verdict}: it wins ${rate(row.adjusted_rate)}, ${size} points ${side} the fair share (n = ${n}).`;
}

function missedIn(rows) {
  const reach = Math.max(...rows.flatMap((row) => [Math.abs(row.points_all_low), Math.abs(row.points_all_high)]));
  if (reach !== reach) return "";
  const size = reach > WORDS.large.points ? `more than ${WORDS.large.points}` : `up to ${fixed(reach, 1)}`;
  return reach > WORDS.large.points ? ` Even differences of ${size} points could be missed.` : ` Differences of ${size} points could be missed.`;
}

// --- Comparisons

const SHARES = ["a", "b", "difference", "difference_all_low", "difference_all_high", "difference_low", "difference_high", "shared", "own",
  "own_all_low", "own_all_high"];

/** Return the comparable rows in rounds or percentage points, with whom or what each is of. */
export function inUnits(rows) {
  return rows.filter((row) => known(row.difference)).map((row) => {
    const scale = row.figure === "rounds" ? 1 : 100, sizes = Object.fromEntries(SHARES.map((name) => [name, row[name] * scale]));
    return {
      ...row, ...sizes, unit: scale === 1 ? "rounds" : "points", matter: row.difference / row.margin,
      whom: row.figure.replace(/^\w+ rate of /, ""),
    };
  });
}

function changed(rows) {
  return bySize(having(rows, DIFFERENT), "matter");
}

/** Return a change of a figure: before, after, difference with its interval, n. */
export function change(row) {
  const mark = row.unit === "rounds" ? "" : "%";
  return `${fixed(row.a, 1)}${mark} → ${fixed(row.b, 1)}${mark}, ${pointsOf(row, "difference")} ${row.unit} (n = ${fixed(row.n, 0)})`;
}

/**
 * Return what a comparison says: unfinished games where they differ, what else of the game changed, the leaders, what they share.
 * The numbers of rows that were `told` before are not said again.
 */
export function comparedFindings(rows, told = []) {
  const leaders = rows.filter((row) => row.group === "leaders"), games = Math.max(...rows.map((row) => row.n));
  const cut = having(rows.filter((row) => row.figure === "unfinished games"), DIFFERENT), found = cut.map((row) => ({
    text: `Games that nobody won: ${change(row)}. Win rates are of decided games only.`, certainty: row.certainty,
  }));
  const rest = rows.filter((row) => row.group !== "leaders" && !cut.includes(row));
  const ofLeaders = leaders.length ? [groupFinding(leaders, "leaders' win rates", games, told), ...shiftFindings(leaders)] : [];
  const ofRest = rest.length ? [groupFinding(rest, leaders.length ? "figures of the game" : "figures", games, told)] : [];
  return [...found, ...(changed(rest).length ? [...ofRest, ...ofLeaders] : [...ofLeaders, ...ofRest])];
}

function groupFinding(rows, what, games, told = []) {
  const found = changed(rows), one = what.replaceAll(/(figure|rate)s/g, "$1"), several = rows.length > 1;
  if (found.length) {
    const many = several ? `${found.length} of ${rows.length} ${what}` : `The ${one}`;
    const text = `${many} changed${found.length > 1 ? ", most" : ":"} the ${found[0].figure}${told.includes(found[0]) ? "" : `, ${change(found[0])}`}.`;
    return { text, certainty: weakest(found.map((row) => row.certainty)) };
  }
  const every = `${WORDS.numbers[rows.length] ?? rows.length} ${what}`;
  if (rows.every((row) => verdictOf(row) === "WITHIN")) {
    const text = `${several ? `All ${every} are` : `The ${one} is`} unchanged within the margin; n = ${counted(games, "game")}.`;
    return { text, certainty: weakest(rows.map((row) => row.certainty)) };
  }
  const few = rows.filter((row) => verdictOf(row) === "NOT_COMPARED");
  if (few.length === rows.length) {
    const text = `${several ? `None of the ${every} has enough` : `The ${one} has too few`} games for a comparison; n = ${counted(games, "game")}.`;
    return { text, certainty: "untested" };
  }
  if (few.length) {
    const finding = groupFinding(rows.filter((row) => !few.includes(row)), what, games, told);
    return { ...finding, text: `${finding.text} ${few.length} of ${rows.length} ${what} ${few.length === 1 ? "has" : "have"} too few games for a comparison.` };
  }
  const units = [...new Set(rows.map((row) => row.unit))];
  const missed = units.map((unit) => inUnit(span(rows.filter((row) => row.unit === unit)), unit)).join(" or ");
  const none = several ? `None of the ${every} changed measurably` : `The ${one} did not change measurably`, needed = stillNeeded(rows);
  const more = needed ? ` ${upper(gamesWords(...needed))} would decide ${several ? "all of them" : "it"}.` : "";
  return { text: `${none}; with ${counted(games, "game")} changes up to ${missed} could be missed.${more}`, certainty: "open" };
}

const inUnit = (size, unit) => `${size} ${size === "1" ? unit.replace(/s$/, "") : unit}`;

function span(rows) {
  const reach = rows.map((row) => Math.max(Math.abs(row.difference_all_low), Math.abs(row.difference_all_high)));
  const [low, high] = [Math.min(...reach), Math.max(...reach)].map((end) => fixed(end, end >= 1 ? 0 : 1));
  return low === high ? low : `${low}–${high}`;
}

function shiftFindings(leaders) {
  const others = leaders.filter((row) => known(row.own));
  if (!others.length) return [];
  const most = bySize(leaders.filter((row) => !known(row.own)), "difference")[0], way = most.difference > 0 ? "more" : "less";
  const start = `Wins are zero-sum: as ${most.whom} wins ${way}, the others change by ${points(others[0].shared)} points on average.`;
  const own = others.map((row) => ({ ...row, verdict: row.own_verdict, verdict_key: row.own_verdict_key, certainty: row.own_certainty, matter: row.own }));
  const beyond = changed(own);
  if (beyond.length) {
    const more = beyond.length > 1 ? ` (${beyond.length - 1} more: table)` : "";
    const text = `Beyond that ${beyond[0].whom} changes by ${pointsOf(beyond[0], "own")} points${more}.`;
    return [{ text: `${start} ${text}`, certainty: weakest([beyond[0].certainty, most.certainty]) }];
  }
  const within = own.every((row) => verdictOf(row) === "WITHIN");
  const text = within ? "Beyond that all stay within the margin." : "Beyond that none changes measurably.";
  return [{ text: `${start} ${text}`, certainty: within ? weakest([...own.map((row) => row.certainty), most.certainty]) : "open" }];
}
