import { sections } from "@sessions/conformance";
import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../src/open-memory-store.js";

/** The names of everything that can be called on an object, wherever it is defined. */
function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (
    let level: object | null = object;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const key of Reflect.ownKeys(level)) {
      if (key !== "constructor" && typeof Reflect.get(object, key) === "function") names.add(String(key));
    }
  }
  return [...names].toSorted();
}

const covered = new Set(sections.flatMap((section) => section.covers ?? []).map(String));

describe("the kit has a section for", () => {
  test("every method that a live store has", async () => {
    await using store = openMemoryStore();
    const methods = methodsOf(store);
    expect(methods.length).toBeGreaterThan(40);
    expect(methods.filter((method) => !covered.has(method))).toEqual([]);
  });

  test("no method that a store does not have", async () => {
    await using store = openMemoryStore();
    const declared = new Set(["capabilities", "search", ...methodsOf(store)]);
    expect([...covered].filter((name) => !declared.has(name))).toEqual([]);
  });

  test("every method that a session handle has", async () => {
    await using store = openMemoryStore();
    expect(methodsOf(store.session("s")).filter((method) => !covered.has(method))).toEqual([]);
  });
});
