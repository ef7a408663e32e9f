// The page of a whole game to watch (simulator/replay/film.py), made in the browser: what the lab's own functions say and draw of
// each turn (lab.js, which analysis/web/onefile.py translates), put together as the lab does.

import { fieldsOfNames, plain, py, recordOf } from "./python.js";
import * as lab from "./lab.js";

const UNIT = lab.UNIT, INDENT = 2;

/** Return the page of a game: `turns` yields {state, log, asked} after the set-up and each turn, as bytes and rows. */
export async function filmOf({ plan, game, strategies, rules, layouts, fields, Fields }, turns) {
  fieldsOfNames(fields);
  const r = recordOf(new Fields(rules, layouts.rules.fields), layouts.rules.fields), frames = [];
  const now = { rules: r, plan: { players: plan.players, seed: plan.seed, round_cap: plan.roundCap }, game, strategies, scores: () => lab.scores(now) };
  let camera = null;
  for await (const { state, log, asked } of turns) {
    now.state = recordOf(new Fields(state, layouts.state.fields), layouts.state.fields);
    now.work = { asked: asked.rows, asked_options: asked.options, asked_n: asked.rows.length, asked_options_n: asked.options.length };
    now.words ??= lab.LogSentences(r, now.state);
    now.words.g = now.state;
    now.rows = log;
    const lines = now.words.lines(log);
    if (camera && !lines.length) continue;
    camera ??= new Camera(now);
    frames.push(camera.frame(lines));
  }
  frames.at(-1).lines.push([0, lab.closing(now)]);
  return page(now, frames);
}

class Camera {
  constructor(stepper) {
    Object.assign(this, { stepper, pieces: {}, edges: {}, cards: "", boards: {} });
  }

  frame(lines) {
    const { stepper } = this, g = stepper.state, board = lab.Board(stepper.rules, g, UNIT), spaces = [...Array(board.n).keys()];
    const turn = stepper.rows.find((row) => row[0] === lab.LOG_TURN), taken = {
      title: lab.when(stepper), round: g.round_number, seat: turn ? turn[1] : -1,
      lines: lines.map((line) => [Math.floor((line.length - line.trimStart().length) / INDENT), line.trim()]), glance: lab.glance(lines),
      choices: plain(lab.explained(stepper)), spaces: board.n, pieces: {}, edges: {}, boards: {}, cards: "",
    };
    keep(this.pieces, taken.pieces, spaces.map((s) => drawn(lab.draw_pieces, board, s)));
    keep(this.edges, taken.edges, spaces.map((s) => drawn(lab.draw_tile_edges, board, s)));
    const cards = lab.cards(plain(lab.cards_in_play(stepper)), lab.face_up(board));
    if (cards !== this.cards) this.cards = taken.cards = cards;
    for (let seat = 0; seat < g.players; seat++) {
      const board = plain(lab.player_board(stepper.words, seat)), before = this.boards[seat] ?? {};
      const other = Object.entries(board).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value));
      if (other.length) taken.boards[seat] = Object.fromEntries(other);
      this.boards[seat] = board;
    }
    return taken;
  }
}

function keep(before, changes, now) {
  now.forEach((text, space) => {
    if ((before[space] ?? "") !== text) changes[space] = text;
    before[space] = text;
  });
}

function drawn(draw, board, space) {
  const scene = lab.Scene(UNIT, UNIT);
  draw(scene, board, space);
  return lab.svg_shapes(scene);
}

function page(stepper, frames) {
  const board = lab.Board(stepper.rules, stepper.state, UNIT), seats = [...Array(stepper.plan.players).keys()], [signs, size] = lab.legend(stepper.rules);
  return lab.film({
    ...lab.LOOKS, title: `Seed ${stepper.plan.seed}, game ${stepper.game}`, headline: lab.headline(stepper), heading: lab.heading(stepper).slice(1), strategies: stepper.strategies, players: stepper.plan.players,
    leaders: seats.map((seat) => stepper.words.short(seat)), top: py.format(board.corner[1], ".1f"), left: py.format(board.corner[0], ".1f"),
    width: board.map_width + 2 * lab.MARGIN, height: board.map_height + 2 * lab.MARGIN,
    ground: [...Array(board.n).keys()].map((s) => drawn(lab.draw_ground, board, s)), legend: signs, legend_size: size, frames: script(frames), packed: "",
  });
}

/** Return JSON that can stand in a script element. */
function script(data) {
  return JSON.stringify(data).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
