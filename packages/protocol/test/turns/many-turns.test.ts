import { expect, onTestFinished, test } from "vitest";
import { createStore } from "../../src/backend.js";
import { MapBackend } from "../store/map-backend.js";

test("many held and awaited turns at once cause no warning about leaking listeners", async () => {
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  await using store = createStore(new MapBackend());
  const turns = Array.from({ length: 40 }, (_, n) =>
    store.runTurn(`s${n % 20}`, { waitMs: 30_000 }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }),
  );
  expect((await Promise.all(turns)).map(({ status }) => status)).toEqual(Array(40).fill("completed"));
  await new Promise((resolve) => setImmediate(resolve)); // Node emits warnings in a later task
  expect(warnings).toEqual([]);
});
