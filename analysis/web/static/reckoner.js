// A worker that adds up what others have played, says what it comes to, and keeps it in the browser, so that a closed tab loses
// nothing. It is asked for an answer by `tell`, and says by itself how many games it has kept.

import { answer } from "./answers.js";
import { noPairs } from "./comparing.js";
import { addUp, nothing } from "./counting.js";
import { kept, keep } from "./keeping.js";
import { comparing, several, variantsOf } from "./question.js";
import { addTally, noTally } from "./variants.js";
import { speak, WORDS } from "./words.js";

let now = null, saving = null, more = false, lost = "";

async function begin({ question, names, words, identity, labels }) {
  speak(words);
  const found = await kept(identity).catch(() => null), usable = found && found.sums.games <= question.games ? found : null;
  now = {
    question, names, identity, labels, headline: "", sums: usable?.sums ?? nothing(names, WORDS.roundCap),
    pairs: usable?.pairs ?? (several(question) ? noTally(names, 1 + variantsOf(question).length) : comparing(question) ? noPairs(names) : null),
  };
  return { begun: now.sums.games };
}

/** Keep the sums as they are; what comes meanwhile is kept next. */
function save() {
  more = true;
  return (saving ??= saved().finally(() => (saving = null)));
}

async function saved() {
  while (more) {
    more = false;
    const { identity, question, headline, sums, pairs } = now, { games } = sums;
    lost = await keep(identity, question, headline, { sums, pairs }).then(() => "", (error) => error.message);
    self.postMessage({ kept: games });
  }
}

async function tell() {
  const found = now.sums.games > 1 ? answer(now.question, now.names, now.sums, now.pairs, now.labels) : null;
  now.headline = found?.untold ? "" : found?.findings[0]?.text ?? "";
  await save();
  return { answer: found, lost };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.question) self.postMessage(await begin(data));
    else if (data.part) {
      addUp(now.sums, data.part.sums);
      if (data.part.pairs) (several(now.question) ? addTally : addUp)(now.pairs, data.part.pairs);
      save();
    } else self.postMessage(await tell());
  } catch (error) {
    self.postMessage({ failed: String(error?.message ?? error), ours: error?.name === "Error" });
  }
};
