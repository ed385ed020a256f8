import { expect, test } from "vitest";
import { checkLength } from "../checks/check-length.mjs";
import { plant } from "./plant.mjs";

const lines = (count) => "x\n".repeat(count);
const findingsOf = (files) => checkLength(plant(files)).findings;

test("a source of 301 lines without a reason is found, one of 300 is not", () => {
  const found = findingsOf({
    "a.ts": lines(301),
    "b.ts": lines(300),
    "c.lua": lines(400),
    "d.md": lines(999),
  });
  expect(found.map((finding) => finding.split(":")[0])).toEqual(["a.ts", "c.lua"]);
});

test("a reason in the first comment is a reason, also over two lines and in Lua", () => {
  const block = `/**\n * The table.\n * Over 300\n * lines because it is one table.\n */\n${lines(300)}`;
  const dashes = `-- Over 300 lines because Redis loads one script at a time.\n${lines(300)}`;
  expect(findingsOf({ "a.ts": block, "b.lua": dashes })).toEqual([]);
});

test("a reason further down, or none after the words, is no reason", () => {
  const later = `${lines(1)}// Over 300 lines because of this.\n${lines(300)}`;
  const empty = `// Over 300 lines because\n${lines(300)}`;
  expect(findingsOf({ "a.ts": later, "b.ts": empty })).toHaveLength(2);
});
