// Words and constants of the lab, as its Python source has them (words.json, written by `newdawn web build`): nothing of it is
// typed twice. Whoever starts the page gives them once.

export let WORDS = null;

/** Return what an object has by a name of its own; undefined for those that all objects have (`toString`, `constructor`). */
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

/** Take the constants and words; everything else of the page reads `WORDS`. */
export function speak(words) {
  WORDS = words;
}
