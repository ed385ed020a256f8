import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sections } from "../src/index.js";
import { guaranteeTable } from "./guarantee-table.js";

const readme = new URL("../README.md", import.meta.url);
const BEGIN = "<!-- guarantees: written by `UPDATE_README=1 vitest run test/readme.test.ts` -->\n";
const END = "\n<!-- end of guarantees -->";

describe("the README", () => {
  test("maps every guarantee to the sections that prove it", () => {
    const text = readFileSync(readme, "utf8");
    const from = text.indexOf(BEGIN) + BEGIN.length;
    const to = text.indexOf(END);
    if (process.env["UPDATE_README"] === "1") {
      writeFileSync(readme, text.slice(0, from) + guaranteeTable(sections) + text.slice(to));
    }
    expect(readFileSync(readme, "utf8")).toContain(BEGIN + guaranteeTable(sections) + END);
  });
});

describe("the sections", () => {
  test("prove every guarantee at least twice", () => {
    const proved = sections.flatMap((section) => section.cases.flatMap((one) => one.guarantees));
    for (let number = 1; number <= 20; number++) {
      const cases = proved.filter((guarantee) => guarantee === `G${number}`);
      expect(cases.length, `G${number}`).toBeGreaterThan(1);
    }
  });

  test("have unique names, and so have their cases", () => {
    const names = sections.map((section) => section.name);
    expect(new Set(names).size).toBe(names.length);
    for (const section of sections) {
      const cases = section.cases.map((one) => one.name);
      expect(new Set(cases).size, section.name).toBe(cases.length);
    }
  });
});
