// Opens the games in a report's own file: the explorer takes the place of the report where the address asks for it, #explore/….
// What it needs lies compressed in the page (analysis/web/onefile.py). Modules become addresses of their own, for a page that
// was opened as a file may fetch nothing, not even what lies beside it; so do the files that the report leads to.

(() => {
  const ROOT = "explore/", asked = () => location.hash.slice(1).startsWith(ROOT), shown = asked(), DAMAGED = "The games in this file are damaged; get the file again.";
  addEventListener("hashchange", () => { if (asked() !== shown) location.reload(); });
  const index = JSON.parse(document.getElementById("newdawn-index").textContent), text = document.getElementById("newdawn-bytes").textContent;
  let all = null;

  async function read(name) {
    if (!globalThis.DecompressionStream) throw new Error("This browser is too old to open the games in this file; expected Chrome or Edge 103, Firefox 113, Safari 16.4, or later.");
    if (!index[name]) throw new Error(`${name} is not in this file.`);
    try {
      all ??= Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const [at, size] = index[name], stream = new Blob([all.subarray(at, at + size)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    } catch {
      throw new Error(DAMAGED);
    }
  }

  function say(sentence) {
    const told = document.createElement("p"), back = document.createElement("a");
    Object.assign(told, { id: "newdawn-wrong", textContent: `${sentence} ` });
    told.setAttribute("role", "alert");
    Object.assign(back, { href: "#", textContent: "Back to the report" });
    told.append(back);
    document.body.prepend(told);
  }

  const word = async (name) => new TextDecoder().decode(await read(name));

  async function open() {
    // Those that a module imports stand before it in the index.
    const addresses = {};
    for (const name of Object.keys(index).filter((one) => one.endsWith(".js"))) {
      const code = (await word(name)).replace(/from "(?:\.|\.\.\/static)\/([a-z_]+\.js)"/g, (_, other) => `from "${addresses[other]}"`);
      addresses[name] = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    }
    const { begun } = await import(addresses["onefile.js"]);
    globalThis.newdawnDesk = await begun(read, (name) => import(addresses[name]));
    const page = new DOMParser().parseFromString(await word("explorer.html"), "text/html"), script = page.querySelector("script");
    document.documentElement.classList.remove("exploring");
    document.head.replaceWith(page.head);
    document.body.replaceWith(page.body);
    // A script that is made here runs; names of its own, for the report's stay.
    script.replaceWith(Object.assign(document.createElement("script"), { textContent: `(() => {\n${script.textContent}\n})();` }));
  }

  async function save(name) {
    const address = URL.createObjectURL(new Blob([await read(`beside/${name}`)]));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  if (shown) open().catch((error) => say(error.message));
  document.addEventListener("click", (event) => {
    const name = event.target.closest?.("a[href]")?.getAttribute("href");
    if (!index[`beside/${name}`]) return;
    event.preventDefault();
    save(name).catch((error) => say(error.message));
  });
})();
