// Sums of games in the browser's own store, by question: a page that was closed goes on where it was.

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

/** Return what was kept of a question; undefined if nothing was. */
export const kept = (identity) => within("readonly", (store) => store.get(identity)).then((found) => found?.value);

/** Keep the sums of a question, unless those of more of its games are there; the oldest of many go. */
export async function keep(identity, value) {
  const keys = await within("readonly", (store) => store.getAllKeys()), at = Date.now();
  await within("readwrite", (store) => {
    const there = store.get(identity);
    there.onsuccess = () => there.result?.value.sums.games > value.sums.games || store.put({ at, value }, identity);
  });
  if (keys.length < MOST || keys.includes(identity)) return;
  const all = await within("readonly", (store) => store.getAll());
  const oldest = keys.map((key, i) => [all[i]?.at ?? 0, key]).sort((a, b) => a[0] - b[0])[0][1];
  await within("readwrite", (store) => store.delete(oldest));
}
