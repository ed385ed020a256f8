import { memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { sequentialize } from "../src/sequentialize.js";
import { storage } from "../src/storage.js";

type Loose = (...args: unknown[]) => unknown;
const INVALID = expect.objectContaining({ code: "INVALID_ARGUMENT" });

test.each<[string, Loose, string, string]>([
  ["sequentialize", sequentialize as Loose, "waitMS_", "waitMs"],
  ["storage", storage as Loose, "namspace", "namespace"],
])("%s refuses an invalid store and unknown options", async (_, create, misspelt, meant) => {
  const store = await memoryPlace().open();
  for (const options of [null, 5, "x", [], new Map(), { noSuchOption: 1 }])
    expect(() => create(store, options)).toThrow(INVALID);
  for (const given of [null, 5, {}]) expect(() => create(given)).toThrow(INVALID);
  expect(() => create(store, { [misspelt]: 1 })).toThrow(`Did you mean "${meant}"?`);
});
