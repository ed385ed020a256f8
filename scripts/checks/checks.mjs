/**
 * Every check, by the name in the table, and the turbo task that is it. `pnpm check` and `npm test` run
 * them all.
 */
export const checks = new Map([
  ["types", "check:types"],
  ["lint and format", "check:lint"],
  ["unused code", "check:unused"],
  ["direction and cycles", "check:direction"],
  ["package manifests", "check:manifests"],
  ["packed packages", "check:package"],
  ["doc links", "check:links"],
  ["doc snippets", "check:snippets"],
  ["doc promises", "check:promises"],
  ["file length", "check:length"],
  ["addresses", "check:addresses"],
]);
