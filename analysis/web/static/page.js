// The page: starts here. It reads the address, draws the form, lets games be played, and shows what is found (`show.js`).

import { byId, h } from "./dom.js";
import { openEngine } from "./engine.js";
import { boxesOf, rowsOf } from "./facts.js";
import { Form } from "./form.js";
import { counted, fixed } from "./format.js";
import { address, comparing, identity, namesIn, read } from "./question.js";
import { unpacked } from "./packs.js";
import { fetched, json } from "./reading.js";
import { Answer } from "./show.js";
import { speak, WORDS } from "./words.js";
import { Play } from "./play.js";

// Questions to begin with: what the button says, what is searched for, and what is changed.
const EXAMPLES = [
  ["Who is strong by the printed rules?", "", {}],
  ["What if Petra cost 5?", "petra", { "wonders.petra.cost": 5 }],
  ["Rome begins with five trade tokens: too strong?", "rome", { "leaders.rome.start_bonus.trade_tokens": 5 }],
];

class Page {
  async open() {
    const [words, engine] = await Promise.all([json("words.json"), openEngine(fetched)]);
    speak(words);
    const boxes = boxesOf(engine.info), forms = await Promise.all(boxes.map(async (box) => rowsOf(await engine.form(box))));
    Object.assign(this, { engine, info: engine.info, rows: new Map(boxes.map((box, i) => [box, forms[i]])), game: null });
    const { question, wrong } = this.read();
    this.question = question;
    this.form = new Form(byId("question"), question, this.info, (box) => this.rowsOf(box), () => this.changed());
    this.answer = new Answer((box) => this.rowsOf(box), (games) => this.more(games));
    this.say(wrong);
    this.welcome();
    byId("question").addEventListener("submit", (event) => {
      event.preventDefault();
      this.play();
    });
    byId("question").addEventListener("change", (event) => event.target.id === "pack" && this.unpack(event.target.files[0]));
    byId("question").addEventListener("click", (event) => event.target.id === "stop" && this.game?.stop());
    addEventListener("hashchange", () => this.other());
    await this.recall();
  }

  /** Return the rows of a box that house rules can change. */
  rowsOf(box) {
    return this.rows.get(box);
  }

  read() {
    return read(location.hash === "#answer" ? "" : location.hash, this.info, (box) => this.rowsOf(box));
  }

  /** Take over the question of another address, as Back and links of this page give it. */
  other() {
    if (location.hash === "#answer" || location.hash === address(this.question)) return;
    const { question, wrong } = this.read();
    this.leave();
    this.question = question;
    this.form.show(question);
    this.say(wrong);
    this.welcome();
    this.recall();
  }

  /** Keep the address in step with the form; what was found by another question is no answer any more. */
  changed() {
    history.replaceState(null, "", address(this.question));
    this.say([]);
    const same = this.game && identity(this.game.question, this.info) === identity(this.question, this.info);
    if (this.game && !same) {
      this.leave();
      this.welcome();
    } else if (this.game) this.tell(this.game.state);
  }

  /** Open a file of house rules; what is none of ours is told, and changes nothing. */
  async unpack(file) {
    try {
      const { box, pack } = unpacked(this.engine, new Uint8Array(await file.arrayBuffer()));
      this.form.open(box, pack);
    } catch (error) {
      this.say([`${file.name}: ${error.message}.`]);
    }
  }

  leave() {
    this.game?.close();
    this.game = null;
  }

  /** Say sentences about what went wrong. */
  say(sentences) {
    byId("wrong").replaceChildren(...sentences.map((text) => h("p", { class: "warning" }, text)));
  }

  welcome() {
    byId("progress").hidden = byId("found").hidden = true;
    byId("welcome").hidden = false;
    byId("welcome").replaceChildren(
      h("h2", {}, location.hash.length > 1 ? "Press Play to ask what this link asks" : "Is a leader too strong? What does a house rule change?"),
      h("p", {}, "Choose what to play, and press Play: the games are played by the lab's own engine, the same games as on its command line, and every figure comes with its interval."),
      h("p", { class: "examples" }, EXAMPLES.map((one, i) => h("button", { type: "button", id: `example-${i}`, click: () => this.example(one) }, one[0]))),
      h("p", { class: "note" }, "Verdicts are given once all games are played: to look while they are played, and to stop when a result pleases, would make it worthless."));
  }

  example([, words, wanted]) {
    const known = new Set(this.rowsOf(this.question.box).map((row) => row.key));
    this.form.words = words;
    this.form.put({ changes: Object.fromEntries(Object.entries(wanted).filter(([path]) => known.has(path))), compare: true }, "rules");
    byId("play").focus();
  }

  // --- Playing

  /** Show what was found before by this question in this browser, be it in a tab that was closed. */
  async recall() {
    const game = this.game = this.asked();
    const games = await game.recall().catch(() => 0);
    if (this.game === game && games < 2) this.game = null;
  }

  /** Play what is asked, or go on with it. */
  async play() {
    const wrong = this.form.wrong();
    this.say(wrong ? [wrong] : []);
    if (wrong || ["opening", "playing", "stopping"].includes(this.game?.state.phase)) return;
    history.replaceState(null, "", address(this.question));
    this.game?.close();
    this.game = this.asked();
    if (innerWidth < 900) byId("answer").scrollIntoView();
    await this.game.start().catch((error) => this.say([error.message]));
  }

  /** Return the games of the question as it stands. */
  asked() {
    const question = structuredClone(this.question), facts = { names: namesIn(question, this.info), words: WORDS, identity: identity(question, this.info) };
    const game = new Play(question, facts, (state) => this.game === game && this.tell(state), this.workers);
    return game;
  }

  /** Ask for more games of the same question, and play them. */
  more(games) {
    this.form.put({ games }, "play");
    return this.play();
  }

  get workers() {
    const asked = Number(new URLSearchParams(location.search).get("workers"));
    return asked >= 1 && asked <= 64 ? Math.floor(asked) : navigator.hardwareConcurrency || 2;
  }

  /** Show how far it is, and what was found so far. */
  tell(state) {
    const { phase, done, asked, speed, answer, error, lost } = state, busy = ["opening", "playing", "stopping"].includes(phase);
    byId("welcome").hidden = true;
    byId("progress").hidden = false;
    byId("play").hidden = busy;
    byId("stop").hidden = !busy;
    byId("stop").disabled = phase === "stopping";
    byId("play").textContent = phase === "stopped" && done < this.question.games ? "Go on" : "Play";
    byId("bar").value = done / asked;
    byId("progress").classList.toggle("over", !busy);
    const both = comparing(this.game.question) ? " by each of the two rules" : "";
    const left = speed > 0 && phase === "playing" ? ` · ${fixed(speed, 0)} games/s · ${seconds((asked - done) / speed)} left` : "";
    const word = { opening: "Getting ready: ", stopping: "Stopping: ", stopped: "Stopped: ", done: "" }[phase] ?? "";
    byId("pace").textContent = `${word}${fixed(done, 0)} of ${counted(asked, "game")}${both}${left}`;
    this.say([error, lost && `This browser keeps nothing for later (${lost}); the page itself plays on.`].filter(Boolean));
    byId("found").hidden = !answer;
    if (answer) this.answer.show(this.game.question, answer, { told: !busy, stopped: phase === "stopped", done });
    this.speak(phase, done / asked, byId("pace").textContent);
  }

  /** Tell a screen reader of every quarter, and of the end with its headline. */
  speak(phase, part, text) {
    const moment = phase === "playing" ? Math.floor(part * 4) : phase;
    if (moment === this.spoken) return;
    this.spoken = moment;
    const headline = phase === "done" || phase === "stopped" ? document.querySelector("#first h2")?.textContent ?? "" : "";
    byId("spoken").textContent = `${text}. ${headline}`;
  }
}

const seconds = (n) => (n < 90 ? `${Math.ceil(n)} s` : `${Math.ceil(n / 60)} min`);

/** Keep the page for when there is no network, and say when there is a newer one. */
async function offline() {
  if (!navigator.serviceWorker || location.protocol === "file:") return;
  const there = await navigator.serviceWorker.register("sw.js", { type: "classic" }).catch(() => null);
  there?.addEventListener("updatefound", () => {
    const next = there.installing;
    next?.addEventListener("statechange", () => {
      if (next.state === "installed" && navigator.serviceWorker.controller) {
        byId("foot").append(h("p", { role: "status" }, "A newer version of this page is ready: ", h("button", { type: "button", click: () => location.reload() }, "Load it")));
      }
    });
  });
}

const page = new Page();
page.open().then(offline, (error) => {
  byId("question").replaceChildren();
  page.say([error.message]);
});
