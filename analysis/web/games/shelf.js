// People's games in the browser's own store, so that a closed tab loses nothing; and the files of house rules they are played by.

const BASE = "newdawn table", GAMES = "games", PACKS = "packs", LOG = "log", MOST = 60; // games kept

function opened() {
  return new Promise((resolve, reject) => {
    if (!globalThis.indexedDB) reject(new Error("this browser keeps nothing"));
    const asked = indexedDB.open(BASE, 1);
    asked.onupgradeneeded = () => [GAMES, PACKS, LOG].forEach((name) => asked.result.createObjectStore(name));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function within(name, mode, work) {
  const base = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const deal = base.transaction(name, mode), asked = work(deal.objectStore(name));
      deal.oncomplete = () => resolve(asked?.result);
      deal.onabort = deal.onerror = () => reject(deal.error);
    });
  } finally {
    base.close();
  }
}

/** Return a game by its key: {at, deal, version, choices, answered, notes, line}; undefined if it is not here. */
export const gameOf = (key) => within(GAMES, "readonly", (store) => store.get(key));

export const keepGame = (key, game) => within(GAMES, "readwrite", (store) => store.put({ ...game, at: Date.now() }, key));

export const dropGame = (key) => within(GAMES, "readwrite", (store) => store.delete(key));

/** Return [key, game] of all games, the last played first; the oldest of many finished ones go. */
export async function games() {
  const [keys, all] = [await within(GAMES, "readonly", (store) => store.getAllKeys()), await within(GAMES, "readonly", (store) => store.getAll())];
  const found = keys.map((key, k) => [key, all[k]]).sort((a, b) => b[1].at - a[1].at);
  for (const [key] of found.slice(MOST).filter(([, game]) => game.line?.over)) await dropGame(key);
  return found;
}

export const packOf = (digest) => within(PACKS, "readonly", (store) => store.get(digest));
export const keepPack = (digest, bytes) => within(PACKS, "readwrite", (store) => store.put(bytes, digest));

/** Return the entries of the log, in the order of their keys. */
export const logged = () => within(LOG, "readonly", (store) => store.getAll());
export const addToLog = (key, entry) => within(LOG, "readwrite", (store) => store.put(entry, key));
export const clearLog = () => within(LOG, "readwrite", (store) => store.clear());
