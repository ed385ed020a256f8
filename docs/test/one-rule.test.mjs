import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const built = fileURLToPath(new URL("./", import.meta.resolve("@sessions/protocol")));
const program = fileURLToPath(new URL("mutated-protocol.mjs", import.meta.url));

/** Where a commit gets its revision. */
const RULE = { file: "state/apply-operations.js", text: "revision + 1)", mutated: "revision + 2)" };

let copy;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "protocol-"));
  cpSync(built, copy, { recursive: true });
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function revisionsOn(store) {
  return JSON.parse(execFileSync(process.execPath, [program, store, copy], { encoding: "utf8" }));
}

describe.each(["memory", "json-file", "sqlite"])("on %s", (store) => {
  test("the protocol alone decides commits: with one of its rules changed, outcomes change", () => {
    const path = join(copy, RULE.file);
    const source = readFileSync(path, "utf8");
    expect(revisionsOn(store)).toEqual([1, 2]);
    expect(source.split(RULE.text), "the rule stands once in the source").toHaveLength(2);
    writeFileSync(path, source.replace(RULE.text, RULE.mutated));
    try {
      expect(revisionsOn(store)).toEqual([2, 4]);
    } finally {
      writeFileSync(path, source);
    }
  });
});
