import { expect, test } from "vitest";
import { openStore } from "../src/open-store.js";
import { resolveStore } from "../src/resolve-store.js";

type Loose = (target: unknown, options: unknown) => Promise<unknown>;

test.each<[string, Loose]>([
  ["openStore", openStore as Loose],
  ["resolveStore", resolveStore as Loose],
])("%s rejects options that are no object", async (_, call) => {
  const bad = [
    null,
    5,
    "x",
    [],
    { cdw: "." },
    { cwd: 5 },
    { stores: {} },
    { stores: [null] },
    { onNotice: 1 },
  ];
  for (const options of bad)
    await expect(call("memory:", options), JSON.stringify(options)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
});
