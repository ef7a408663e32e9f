// Opens a report's own file as a browser would, without its elements, and prints what its desk answers: {path: answer or error}.

import fs from "node:fs";
const { page, paths, root } = JSON.parse(fs.readFileSync(0));
const html = fs.readFileSync(page, "utf-8"), part = (id) => new RegExp(`id="${id}">([^<]*)<`).exec(html)[1];
const index = JSON.parse(part("newdawn-index")), all = new Uint8Array(Buffer.from(part("newdawn-bytes"), "base64"));
const { expanded } = await import(`${root}/games/packed.js`), { begun } = await import(`${root}/games/onefile.js`);
const read = async (name) => expanded(all.subarray(index[name][0], index[name][0] + index[name][1]));
const desk = await begun(read, (name) => import(`${root}/games/${name}`)), found = {};
for (const path of paths) {
  try {
    found[path] = await desk.answer(path);
  } catch (error) {
    found[path] = { error: error.message };
  }
}
console.log(JSON.stringify(found));
