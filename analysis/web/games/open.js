// Opens the games in a report's own file: the explorer takes the place of the report where the address asks for it, #explore/….
// What it needs lies compressed in the page (analysis/web/onefile.py). Modules become addresses of their own, for a page that
// was opened as a file may fetch nothing, not even what lies beside it.

(() => {
  const ROOT = "explore/", asked = () => location.hash.slice(1).startsWith(ROOT), shown = asked();
  addEventListener("hashchange", () => { if (asked() !== shown) location.reload(); });
  if (!shown) return;
  const index = JSON.parse(document.getElementById("newdawn-index").textContent);
  const text = document.getElementById("newdawn-bytes").textContent;

  const say = (sentence) => {
    const told = document.createElement("p"), back = document.createElement("a");
    Object.assign(told, { id: "newdawn-wrong", textContent: `${sentence} ` });
    told.setAttribute("role", "alert");
    Object.assign(back, { href: "#", textContent: "Back to the report" });
    told.append(back);
    document.body.prepend(told);
  };

  async function open() {
    if (!globalThis.DecompressionStream) throw new Error("This browser is too old to open the games of this file; expected Chrome or Edge 103, Firefox 113, Safari 16.4, or later.");
    let all;
    try {
      all = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    } catch {
      throw new Error("The games in this file are damaged; get the file again.");
    }
    const read = async (name) => {
      if (!index[name]) throw new Error(`${name} is not in this file`);
      const [at, size] = index[name], stream = new Blob([all.subarray(at, at + size)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
      try {
        return new Uint8Array(await new Response(stream).arrayBuffer());
      } catch {
        throw new Error("The games in this file are damaged; get the file again.");
      }
    };
    const word = async (name) => new TextDecoder().decode(await read(name));
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
    script.replaceWith(Object.assign(document.createElement("script"), { textContent: script.textContent })); // which runs
  }

  open().catch((error) => say(error.message));
})();
