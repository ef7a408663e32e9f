// Sums of games in the browser's own store, by question: a page that was closed goes on where it was, and lists what was asked.

const STORE = "sums", MOST = 20; // questions kept

function opened() {
  return new Promise((resolve, reject) => {
    if (!globalThis.indexedDB) reject(new Error("no store"));
    const asked = indexedDB.open("newdawn", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function within(mode, work) {
  const base = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const deal = base.transaction(STORE, mode), asked = work(deal.objectStore(STORE));
      deal.oncomplete = () => resolve(asked?.result);
      deal.onabort = deal.onerror = () => reject(deal.error);
    });
  } finally {
    base.close();
  }
}

const read = (work) => within("readonly", work), write = (work) => within("readwrite", work);

/** Return what was kept of a question; undefined if nothing was. */
export const kept = (identity) => read((store) => store.get(identity)).then((found) => found?.value);

/** Return what was kept with the sums of a question: {question, headline, games, at}; undefined if nothing was. */
export const asked = (identity) => read((store) => store.get(identity)).then((found) => found && about(identity, found));

const about = (identity, { at, question, headline, value }) => ({ identity, at, question, headline, games: value.sums.games });

/** Return them for all questions of this version of the page that were asked in this browser, the last one first. */
export async function list(version) {
  const [keys, all] = await Promise.all([read((store) => store.getAllKeys()), read((store) => store.getAll())]);
  const found = keys.map((key, i) => about(key, all[i] ?? { value: { sums: {} } }));
  return found.filter((one) => one.question && one.games > 1 && one.identity.startsWith(`${version} `)).sort((a, b) => b.at - a.at);
}

/** Forget these questions. */
export const forget = (identities) => write((store) => void identities.forEach((one) => store.delete(one)));

/** Keep the sums of a question and what it is, unless those of more of its games are there; the oldest of many go. */
export async function keep(identity, question, headline, value) {
  const keys = await read((store) => store.getAllKeys()), at = Date.now();
  await write((store) => {
    const there = store.get(identity);
    there.onsuccess = () => there.result?.value.sums.games > value.sums.games || store.put({ at, question, headline, value }, identity);
  });
  if (keys.length < MOST || keys.includes(identity)) return;
  const all = await read((store) => store.getAll());
  const oldest = keys.map((key, i) => [all[i]?.at ?? 0, key]).sort((a, b) => a[0] - b[0])[0][1];
  await forget([oldest]);
}
