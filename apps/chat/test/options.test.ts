import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readOptions } from "../src/options.js";

const project = fileURLToPath(new URL("../../../", import.meta.url));

test("conversations are kept in the project, unless somebody says where", () => {
  expect(readOptions([], {}).data).toBe(resolve(project, ".sessions/chat"));
  expect(readOptions([], { SESSIONS_CHAT_DATA: "/tmp/a" }).data).toBe("/tmp/a");
  expect(readOptions(["--data", "/tmp/b"], { SESSIONS_CHAT_DATA: "/tmp/a" }).data).toBe("/tmp/b");
});

test("there is a real model if there is a key or an address", () => {
  expect(readOptions([], {}).endpoint).toBeUndefined();
  expect(readOptions([], { OPENAI_API_KEY: "", OPENAI_BASE_URL: "" }).endpoint).toBeUndefined();
  expect(readOptions([], { OPENAI_API_KEY: "k" }).endpoint).toEqual({
    apiKey: "k",
    baseURL: "https://api.openai.com/v1",
    model: "gpt-4o-mini",
  });
  expect(readOptions([], { OPENAI_BASE_URL: "http://localhost:1", OPENAI_MODEL: "m" }).endpoint).toEqual({
    baseURL: "http://localhost:1",
    model: "m",
  });
});

test.each([
  [["--recover", "burn"], "keep, retry or discard"],
  [["--delay", "soon"], "number of milliseconds"],
  [["--delay", "-1"], "ambiguous"],
  [["--new", "--session", "a"], "only one of them"],
  [["--bogus"], "--bogus"],
  [["hello"], "hello"],
])("%j is refused with what to do", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});

test("a strategy may be cut short", () => {
  expect(readOptions(["--recover", "r"], {}).recover).toBe("retry");
});
