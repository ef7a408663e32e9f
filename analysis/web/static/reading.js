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
  return new Uint8Array(await answer.arrayBuffer());
}

/** Return what a JSON file beside the page holds. */
export async function json(name) {
  const bytes = await fetched(name);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error(`The file ${name} of this page is damaged; make the folder anew with newdawn web build.`);
  }
}
