// Prints what engine.js makes of changes in the form: of each combination the digest of the record, or why it is refused.
import crypto from "node:crypto";
import fs from "node:fs";

const {engine, form, rules, fields, combinations} = JSON.parse(fs.readFileSync(process.argv[2]));
const {applyChanges} = await import(engine);
const printed = new Uint8Array(fs.readFileSync(rules));
const found = combinations.map(changes => {
  const record = printed.slice();
  try {
    applyChanges(record, form, changes, fields);
  } catch (error) {
    return {error: error.message};
  }
  return {digest: crypto.createHash("sha256").update(record).digest("hex")};
});
console.log(JSON.stringify(found));
