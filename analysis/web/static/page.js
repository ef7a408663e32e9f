// The page: starts here. It reads the address, draws the form, lets games be played, and shows what is found (`show.js`).

import { byId, h } from "./dom.js";
import { openEngine } from "./engine.js";
import { boxesOf, rowsOf } from "./facts.js";
import { Form } from "./form.js";
import { counted, fixed } from "./format.js";
import { asked, forget, list } from "./keeping.js";
import { aboutLeader, address, comparing, identity, identityOf, nameOf, namesIn, read, variantsOf } from "./question.js";
import { fetched, json } from "./reading.js";
import { opened } from "./rules_file.js";
import { Answer, asking } from "./show.js";
import { speak, WORDS } from "./words.js";
import { Play } from "./play.js";

// Questions to begin with: what the button says, what is searched for, and what is changed.
const EXAMPLES = [
  ["Which leaders are strong under the printed rules?", "", {}],
  ["What if Petra cost 5?", "petra", { "wonders.petra.cost": 5 }],
  ["Rome begins with five trade tokens: too strong?", "rome", { "leaders.rome.start_bonus.trade_tokens": 5 }],
];
const NARROW = 900; // pixels: the answer stands below the form

class Page {
  async open() {
    const [words, engine] = await Promise.all([json("words.json"), openEngine(fetched)]);
    speak(words);
    const boxes = boxesOf(engine.info), forms = await Promise.all(boxes.map(async (box) => rowsOf(await engine.form(box))));
    Object.assign(this, { engine, info: engine.info, rows: new Map(boxes.map((box, i) => [box, forms[i]])), game: null });
    const { question, wrong } = await this.read();
    Object.assign(this, { question, linked: location.hash.length > 1 });
    this.form = new Form(byId("question"), question, this.info, (box) => this.rowsOf(box), () => this.changed());
    this.answer = new Answer((box) => this.rowsOf(box), (games) => this.more(games));
    this.say(wrong);
    this.welcome();
    byId("question").addEventListener("submit", (event) => {
      event.preventDefault();
      this.play();
    });
    byId("question").addEventListener("change", (event) => event.target.id === "pack" && this.take(event.target.files[0]));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer?.files[0]) this.take(event.dataTransfer.files[0]);
    });
    byId("question").addEventListener("click", (event) => event.target.id === "stop" && this.game?.stop());
    addEventListener("hashchange", () => this.other());
    // The address is the question, so that this link only moves the focus.
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      byId("answer").focus();
    });
    await this.recall(wrong);
  }

  /** Return the rows of a box that house rules can change. */
  rowsOf(box) {
    return this.rows.get(box);
  }

  /** Read the address; the file of house rules that it is about is taken from what this browser keeps of the question. */
  async read() {
    const found = read(location.hash, this.info, (box) => this.rowsOf(box));
    const kept = /[#&]pack=/.test(location.hash) ? await asked(identityOf(this.info, location.hash)).catch(() => null) : null;
    return kept?.question ? { question: { ...kept.question, games: found.question.games }, wrong: [] } : found;
  }

  /** Take over the question of another address, as Back and a link that is pasted give it. */
  async other() {
    if (location.hash === address(this.question)) return;
    const link = location.hash, { question, wrong } = await this.read();
    if (location.hash !== link) return;
    this.leave();
    Object.assign(this, { question, linked: location.hash.length > 1 });
    this.form.show(question);
    this.say(wrong);
    this.welcome();
    this.recall(wrong);
  }

  /** Write the question into the address. One that was asked, or that somebody came with, keeps its place: Back leads to it. */
  note(draft) {
    const link = address(this.question), same = location.hash === link;
    history[same || history.state?.draft ? "replaceState" : "pushState"]({ draft }, "", link);
  }

  /** Keep the address in step with the form; what was found by another question is no answer any more. */
  changed() {
    this.note(true);
    this.linked = false;
    this.say([]);
    const same = this.game && identity(this.game.question, this.info) === identity(this.question, this.info);
    if (this.game && !same) this.leave();
    if (this.game && aboutLeader(this.game.question) !== aboutLeader(this.question)) this.retell();
    else if (this.game) this.tell(this.game.state);
    else this.welcome();
  }

  /** Let the games that were played answer for another leader; if they were being played, they stop, and go on when asked to. */
  async retell() {
    this.leave();
    if ((await this.remembered()) === false) this.welcome();
  }

  /** Open a file of house rules; what is none of ours is told, and changes nothing. */
  async take(file) {
    try {
      const { box, pack = null, changes = {} } = await opened(this.engine, file, this.question.box, (one) => this.rowsOf(one));
      this.form.open(box, { changes, others: [], pack });
    } catch (error) {
      this.say([`${file.name}: ${error.message}.`]);
    }
  }

  leave() {
    this.game?.close();
    this.game = null;
    this.buttons(false, "Play");
  }

  /** Offer to play, or while games are played to stop; whoever is on the button that goes finds the other one. */
  buttons(busy, play) {
    const [shown, other] = busy ? [byId("stop"), byId("play")] : [byId("play"), byId("stop")], here = document.activeElement === other;
    shown.hidden = false;
    other.hidden = true;
    if (here) shown.focus({ preventScroll: true });
    byId("play").textContent = play;
  }

  /** Say sentences about what went wrong. */
  say(sentences) {
    byId("wrong").replaceChildren(...sentences.map((text) => h("p", { class: "warning" }, text)));
  }

  welcome() {
    byId("progress").hidden = byId("found").hidden = true;
    byId("answer").classList.remove("full");
    byId("welcome").hidden = false;
    this.listKept();
    byId("welcome").replaceChildren(
      h("h2", {}, this.linked ? "This link asks a question: press Play for the answer" : "Is a leader too strong? What does a house rule change?"),
      h("p", { class: "examples" }, EXAMPLES.map((one, i) => h("button", { type: "button", id: `example-${i}`, click: () => this.example(one) }, one[0]))),
      h("p", {}, "Or choose the games and, if you like, change rules; then press Play. Computer players play the games in this tab, and every figure comes with an interval: how far off it may be by chance."),
      h("p", { class: "note" }, "Verdicts come once all games are played: stopping as soon as you like what you see would make them worthless."));
  }

  /** Ask an example, and play it. */
  example([, words, changes]) {
    this.form.words = words;
    this.form.put({ changes, others: [], pack: null, compare: true }, "games", "rules");
    return this.play();
  }

  /** List the questions that were asked in this browser, with what was found. */
  async listKept() {
    const found = await list(this.info.version).catch(() => []), now = identity(this.question, this.info), others = found.filter((one) => one.identity !== now);
    const gone = (identities) => forget(identities).then(() => this.listKept());
    byId("kept").hidden = !others.length;
    byId("kept").replaceChildren(h("h2", {}, "Asked in this browser"), h("ul", { class: "kept" }, others.map(({ identity: key, question, headline, games }) => h("li", {},
      h("a", { href: address({ ...question, games: Math.max(question.games, games) }), class: "again" }, asking(question, (box) => this.rowsOf(box))),
      h("span", { class: "note" }, ` ${games < question.games ? `${fixed(games, 0)} of ${counted(question.games, "game")}` : `${counted(games, "game")}. ${headline}`} `),
      h("button", { type: "button", class: "try", "aria-label": `Forget: ${asking(question, (box) => this.rowsOf(box))}`, click: () => gone([key]) }, "Forget")))),
      others.length > 1 ? h("button", { type: "button", id: "forget", click: () => gone(others.map((one) => one.identity)) }, "Forget all") : "");
  }

  // --- Playing

  /** Show what was found before by this question in this browser, be it in a tab that was closed. A link that is not understood
   * asks something else than what stands in the form. */
  async recall(wrong) {
    if (!wrong.length && this.linked && await this.remembered()) this.show();
  }

  /** Tell what this browser kept of the question; return whether it kept anything, null if the question is another one by now. */
  async remembered() {
    const game = this.game = this.asked(), games = await game.recall().catch(() => 0);
    if (this.game !== game) return null;
    if (games < 2) this.game = null;
    return games > 1;
  }

  /** Bring the answer into view. */
  show() {
    const { top } = byId("answer").getBoundingClientRect();
    if (innerWidth < NARROW || top < 0 || top > innerHeight / 2) byId("answer").scrollIntoView();
  }

  /** Play what is asked, or go on with it. */
  async play() {
    if (this.stale) return location.reload();
    const wrong = this.form.wrong();
    this.say(wrong ? [wrong] : []);
    if (wrong || this.busy) return;
    this.note(false);
    this.game?.close();
    this.game = this.asked();
    const played = this.game.start();
    this.show();
    await played;
  }

  /** Return the games of the question as it stands. */
  asked() {
    const question = structuredClone(this.question), rows = this.rowsOf(question.box), labels = ["printed", ...variantsOf(question).map((one) => nameOf(one, rows))];
    const facts = { names: namesIn(question, this.info), words: WORDS, identity: identity(question, this.info), labels };
    const game = new Play(question, facts, (state) => this.game === game && this.tell(state), this.workers);
    return game;
  }

  /** Ask for more games of the same question, and play them. */
  more(games) {
    history.replaceState({ draft: true }, ""); // the same question, gone on with
    this.form.put({ games }, "play");
    return this.play();
  }

  get busy() {
    return ["opening", "playing", "stopping"].includes(this.game?.state.phase);
  }

  get workers() {
    const asked = Number(new URLSearchParams(location.search).get("workers"));
    return asked >= 1 && asked <= 64 ? Math.floor(asked) : navigator.hardwareConcurrency || 2;
  }

  /** Show how far it is, and what was found so far. */
  tell(state) {
    const { phase, done, asked, speed, answer, error, lost } = state, { busy } = this;
    byId("welcome").hidden = true;
    byId("progress").hidden = false;
    byId("stop").disabled = phase === "stopping";
    byId("answer").classList.toggle("full", busy || Boolean(answer));
    this.buttons(busy, phase === "stopped" && done > 0 && done < this.question.games ? "Go on" : "Play");
    byId("bar").value = done / asked;
    byId("progress").classList.toggle("over", !busy);
    const both = comparing(this.game.question) ? " under each set of rules" : "";
    const left = speed > 0 && phase === "playing" ? ` · ${fixed(speed, 0)} games/s · ${seconds((asked - done) / speed)} left` : "";
    const word = { opening: "Getting ready: ", stopping: "Stopping: ", stopped: "Stopped: ", done: "" }[phase] ?? "";
    byId("pace").textContent = `${word}${fixed(done, 0)} of ${counted(asked, "game")}${both}${left}`;
    this.say([error, lost && `This browser keeps nothing for later (${lost}); the page itself plays on.`].filter(Boolean));
    byId("found").hidden = !answer;
    if (answer) this.answer.show(this.game.question, answer, { told: !busy, stopped: phase === "stopped" && !error, done });
    if (!busy) this.listKept();
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
  let had = navigator.serviceWorker.controller !== null;
  // A page and its workers are of one build: when another one takes over, here or in another tab, the page is opened again.
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (had && page.busy) page.stale = true;
    else if (had) location.reload();
    had = true;
  });
  const there = await navigator.serviceWorker.register("sw.js", { type: "classic" }).catch(() => null);
  const offer = (next) => next && had && byId("foot").replaceChildren(
    h("p", { role: "status" }, "A newer version of this page is ready: ", h("button", { type: "button", id: "newer", click: () => next.postMessage("take over") }, "Load it")));
  offer(there?.waiting);
  there?.addEventListener("updatefound", () => {
    const next = there.installing;
    next?.addEventListener("statechange", () => next.state === "installed" && offer(next));
  });
}

const page = new Page();
page.open().then(offline, (error) => {
  byId("question").replaceChildren();
  page.say([error.message]);
});
