import { join, resolve, sep } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { folderName } from "../../src/session/names/folder-name.js";
import { HOSTILE_IDS } from "./hostile-ids.js";

test("distinct ids have distinct folders, also on file systems that ignore case", () => {
  const names = HOSTILE_IDS.map((id) => folderName(id).toLowerCase());
  expect(new Set(names).size).toBe(HOSTILE_IDS.length);
});

test("no id leads out of the folder of sessions", () => {
  const root = resolve("/store/sessions");
  const id = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom(...HOSTILE_IDS),
    fc.stringMatching(/^[./\\~:]{1,9}$/),
  );
  fc.assert(
    fc.property(id, (one) => {
      const name = folderName(one);
      expect(name).toMatch(/^[a-z0-9_~-]{1,121}$/);
      expect(join(root, name)).toBe(root + sep + name);
    }),
  );
});

test("two ids share a folder only if they are the same", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: "binary", maxLength: 80 }),
      (a, b) => {
        if (a.isWellFormed() && b.isWellFormed()) expect(folderName(a) === folderName(b)).toBe(a === b);
      },
    ),
    { numRuns: 500 },
  );
});
