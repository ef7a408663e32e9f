// Keeps the files of the page in the browser, so that it opens without a network. files.json, written by the build, has their names
// and a digest of all: a new digest is a new store, filled whole before the old one goes, so that versions never mix.

const OWN = new URL("./", self.location), LIST = "files.json", PREFIX = `newdawn ${OWN.pathname} `;

async function listed() {
  const answer = await fetch(new URL(LIST, OWN), { cache: "no-store" });
  if (!answer.ok) throw new Error(LIST);
  return answer.json();
}

async function current() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  return names.length ? caches.open(names.at(-1)) : null;
}

/** Fill the store of the version that the server has, unless it is there. */
async function fill() {
  const { digest, files } = await listed(), name = PREFIX + digest;
  if ((await caches.keys()).includes(name)) return name;
  const store = await caches.open(`filling ${name}`);
  await Promise.all(files.map(async (file) => {
    const answer = await fetch(new URL(file, OWN), { cache: "reload" });
    if (!answer.ok) throw new Error(file);
    await store.put(new URL(file, OWN), answer);
  }));
  const whole = await caches.open(name);
  for (const request of await store.keys()) await whole.put(request, await store.match(request));
  await caches.delete(`filling ${name}`);
  return name;
}

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  const name = await fill().catch(() => null);
  if (name) for (const other of await caches.keys()) if (other.startsWith(PREFIX) && other !== name) await caches.delete(other);
  await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== OWN.origin || !url.pathname.startsWith(OWN.pathname) || url.pathname.endsWith(LIST)) return;
  const bare = new URL(url.pathname.endsWith("/") ? `${url.pathname}index.html` : url.pathname, url.origin);
  event.respondWith((async () => (await (await current())?.match(bare)) ?? fetch(event.request))());
});
