// Games on all processors: workers that play ranges of games, one that reckons. What comes out is the same whatever their number:
// game k has its own seed, sums are whole numbers, and only ranges without a gap count. Games are said to be done when the reckoner has
// kept them, so that a page that is closed or loaded again lost none of those it told of.

const AT_ONCE = 0.5, SMALLEST = 4, MOST = 2000; // seconds of a range, and its games
const SOON = 250, TELL = 1200; // milliseconds until the first answer, and between two

/** The games of one question. It calls `told(state)` with every change: phase, games, speed, answer, and what went wrong. */
export class Play {
  constructor(question, facts, told, workers = navigator.hardwareConcurrency || 2) {
    Object.assign(this, { question, facts, told, size: workers, stopped: false, state: { phase: "", done: 0, asked: question.games, speed: 0 } });
  }

  /** Show what was kept of this question's games; return how many games that is. */
  async recall() {
    const games = await this.begin();
    if (games > 1) await this.look();
    this.close();
    if (games > 1) this.tell({ phase: games < this.question.games ? "stopped" : "done" });
    return games;
  }

  /** Let the reckoner begin with what was kept of this question's games, if anything was. */
  async begin() {
    const { question, facts } = this;
    this.reckoner = new Worker(new URL("reckoner.js", import.meta.url), { type: "module" });
    const { begun } = await this.ask(this.reckoner, { question, ...facts });
    return (this.next = this.counted = this.state.done = begun);
  }

  /** Begin, or go on where this question's games were left. */
  async start() {
    try {
      await this.played();
    } catch (error) {
      this.close();
      this.tell({ phase: "stopped", error: error.message });
    }
  }

  async played() {
    const { question } = this;
    this.tell({ phase: "opening" });
    await this.begin();
    this.waiting = new Map();
    this.left = []; // ranges that a worker took and did not return
    this.began = performance.now();
    this.from = this.next;
    const size = Math.max(1, Math.min(this.size, Math.ceil((question.games - this.next) / SMALLEST)));
    this.workers = this.next < question.games ? Array.from({ length: size }, () => new Worker(new URL("worker.js", import.meta.url), { type: "module" })) : [];
    this.tell({ phase: this.stopped ? "stopping" : "playing", done: this.next });
    const look = () => this.look().then(() => (this.timer = setTimeout(look, TELL)));
    this.timer = setTimeout(look, SOON);
    const ran = await Promise.allSettled(this.workers.map((worker) => this.work(worker)));
    clearTimeout(this.timer);
    const failed = ran.filter((one) => one.status === "rejected").map((one) => one.reason.message);
    const whole = this.counted >= question.games;
    if (failed.length && !whole && !this.stopped) this.tell({ error: failed[0] });
    await this.looking;
    clearTimeout(this.timer);
    await this.look();
    this.close();
    this.tell({ phase: whole ? "done" : "stopped", done: this.counted });
  }

  /** Let a worker play range after range. */
  async work(worker) {
    const { question, facts: { words } } = this;
    let range = null;
    try {
      await this.ask(worker, { question, words });
      for (let n = SMALLEST; (range = this.take(n)); ) {
        const part = await this.ask(worker, range);
        this.waiting.set(part.first, part);
        this.count();
        n = Math.round(Math.min(MOST, Math.max(SMALLEST, (part.n * AT_ONCE) / Math.max(part.seconds, 1e-3)), 4 * part.n));
      }
    } catch (error) {
      if (range) this.left.push(range);
      throw error;
    } finally {
      worker.terminate();
    }
  }

  /** Return the next range to play, of at most n games; null if there is none, or no more is wanted. */
  take(n) {
    if (this.stopped) return null;
    if (this.left.length) return this.left.pop();
    const first = this.next, games = Math.min(n, this.question.games - first);
    this.next += games;
    return games ? { first, n: games } : null;
  }

  /** Count the ranges that are complete up to a place. */
  count() {
    for (let part; (part = this.waiting.get(this.counted)); ) {
      this.waiting.delete(this.counted);
      this.counted += part.n;
      this.reckoner.postMessage({ part: { sums: part.sums, pairs: part.pairs } });
    }
    const seconds = (performance.now() - this.began) / 1000;
    this.tell({ speed: seconds > 0.3 ? (this.counted - this.from) / seconds : 0 });
  }

  /** Ask what the games so far come to. */
  async look() {
    if (this.looking) return this.looking;
    this.looking = this.ask(this.reckoner, { tell: true }).finally(() => (this.looking = null));
    try {
      const { answer, lost } = await this.looking;
      this.tell({ answer, lost });
    } catch (error) {
      this.tell({ error: error.message });
    }
  }

  /** Stop: ranges that are being played are finished and counted. */
  stop() {
    this.stopped = true;
    this.tell({ phase: "stopping" });
  }

  /** End at once; nothing is told any more. */
  close() {
    clearTimeout(this.timer);
    for (const worker of [...(this.workers ?? []), this.reckoner]) worker?.terminate();
  }

  /** Ask a worker; its next message is the answer, but for what the reckoner says of itself. */
  ask(worker, message) {
    return new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data.kept !== undefined) this.tell({ done: Math.max(this.state.done, data.kept) });
        else if (data.failed) reject(new Error(sentence(data)));
        else resolve(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message ? sentence({ failed: event.message }) : NOT_LOADED)); // a script that does not come has no message
      };
      worker.postMessage(message);
    });
  }

  tell(change) {
    Object.assign(this.state, change);
    this.told({ ...this.state });
  }
}

const NOT_LOADED = "A part of the page could not be loaded: the network is gone, or the folder is not whole. Go online, then press Play.";

/** Return what went wrong in one sentence; `ours`: the message is one already. */
function sentence({ failed, ours }) {
  if (/memory|allocation|call stack/i.test(failed)) return "The memory of this tab is full; the games so far are kept, and Go on plays the rest.";
  if (ours) return failed.replace(/^[a-z]+(?=[ :])/, (word) => word[0].toUpperCase() + word.slice(1)).replace(/\.?$/, ".");
  return `A part of the page ended (${failed.slice(0, 120) || "no reason given"}); the games so far are kept, and Go on plays the rest.`;
}
