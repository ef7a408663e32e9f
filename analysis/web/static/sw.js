// Keeps the files of the page in the browser, so that it opens without a network. The build writes their digest below, so that a
// browser sees a new build by this file. Each build has a store of its own, filled whole before the build takes over, and answers
// from that alone: versions never mix.

const DIGEST = "";
const OWN = new URL("./", self.location), LIST = "files.json", PREFIX = `newdawn ${OWN.pathname} `, STORE = PREFIX + DIGEST;

async function listed() {
  const answer = await fetch(new URL(LIST, OWN), { cache: "no-store" });
  if (!answer.ok) throw new Error(LIST);
  return answer.json();
}

/** Fill the store of this build, unless it is there. */
async function fill() {
  if (await caches.has(STORE)) return;
  const { digest, files } = await listed();
  if (digest !== DIGEST) throw new Error(`${LIST} is of another build`); // the folder is being copied: the next visit tries again
  const store = await caches.open(`filling ${STORE}`);
  await Promise.all(files.map(async (file) => {
    const answer = await fetch(new URL(file, OWN), { cache: "reload" });
    if (!answer.ok) throw new Error(file);
    await store.put(new URL(file, OWN), answer);
  }));
  const whole = await caches.open(STORE);
  for (const request of await store.keys()) await whole.put(request, await store.match(request));
  await caches.delete(`filling ${STORE}`);
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const other of await caches.keys()) if (other !== STORE && other.replace("filling ", "").startsWith(PREFIX)) await caches.delete(other);
  await self.clients.claim();
})()));

// The page asks for it once its user wants the new build.
self.addEventListener("message", (event) => event.data === "take over" && self.skipWaiting());

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== OWN.origin || !url.pathname.startsWith(OWN.pathname) || url.pathname.endsWith(LIST)) return;
  const bare = new URL(url.pathname.endsWith("/") ? `${url.pathname}index.html` : url.pathname, url.origin);
  event.respondWith(caches.match(bare, { cacheName: STORE }).then((found) => found ?? fetch(event.request)));
});
