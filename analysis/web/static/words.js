// Words and constants of the lab, as its Python source has them (words.json, written by `newdawn web build`): nothing of it is
// typed twice. Whoever starts the page gives them once.

export let WORDS = null;

/** Take the constants and words; everything else of the page reads `WORDS`. */
export function speak(words) {
  WORDS = words;
}
