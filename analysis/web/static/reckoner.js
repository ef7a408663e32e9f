// A worker that adds up what others have played, says what it comes to, and keeps it in the browser, so that a closed tab loses
// nothing. It is asked for an answer by `tell`.

import { answer } from "./answers.js";
import { noPairs } from "./comparing.js";
import { addUp, nothing } from "./counting.js";
import { kept, keep } from "./keeping.js";
import { comparing } from "./question.js";
import { speak, WORDS } from "./words.js";

let now = null;

async function begin({ question, names, words, identity }) {
  speak(words);
  const found = await kept(identity).catch(() => null), usable = found && found.sums.games <= question.games ? found : null;
  now = { question, names, identity, sums: usable?.sums ?? nothing(names, WORDS.roundCap), pairs: usable?.pairs ?? (comparing(question) ? noPairs(names) : null) };
  return { begun: now.sums.games };
}

async function tell() {
  let lost = "";
  await keep(now.identity, { sums: now.sums, pairs: now.pairs }).catch((error) => (lost = error.message));
  return { answer: now.sums.games > 1 ? answer(now.question, now.names, now.sums, now.pairs) : null, lost };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.question) self.postMessage(await begin(data));
    else if (data.part) {
      addUp(now.sums, data.part.sums);
      if (data.part.pairs) addUp(now.pairs, data.part.pairs);
    } else self.postMessage(await tell());
  } catch (error) {
    self.postMessage({ failed: String(error?.message ?? error), ours: error?.name === "Error" });
  }
};
