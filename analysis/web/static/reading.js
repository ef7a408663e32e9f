// Files of the page's own folder, and what is said where one is missing or is none of ours.

/** Return the bytes of a file beside the page; throw an error of one sentence. */
export async function fetched(name) {
  let answer;
  try {
    answer = await fetch(new URL(name, import.meta.url));
  } catch {
    throw new Error(`The file ${name} of this page cannot be reached; go online once and open the page again.`);
  }
  if (!answer.ok) throw new Error(`The file ${name} of this page is missing; make the folder anew with newdawn web build.`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (!whole(name, bytes)) throw new Error(`The file ${name} of this page is damaged; make the folder anew with newdawn web build.`);
  return bytes;
}

const text = (bytes) => new TextDecoder().decode(bytes);

/** Say whether a file is what its name says: a web host may answer with a page of its own. */
function whole(name, bytes) {
  if (name.endsWith(".wasm")) return text(bytes.subarray(0, 4)) === "\0asm";
  if (!name.endsWith(".json")) return !text(bytes.subarray(0, 15)).toLowerCase().startsWith("<!doctype html");
  try {
    JSON.parse(text(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Return what a JSON file beside the page holds. */
export const json = async (name) => JSON.parse(text(await fetched(name)));
