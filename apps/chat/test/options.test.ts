import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readOptions } from "../src/options.js";

const project = fileURLToPath(new URL("../../../", import.meta.url));

test("conversations are kept in the project by default", () => {
  const folder = (root: string): object => ({ store: "file", root });
  const env = { SESSIONS_CHAT_DATA: "/tmp/a", SESSIONS_STORE: "memory:" };
  expect(readOptions([], {}).store).toEqual(folder(resolve(project, ".sessions/chat")));
  expect(readOptions([], { SESSIONS_STORE: "memory:" }).store).toBe("memory:");
  expect(readOptions([], env).store).toEqual(folder("/tmp/a"));
  expect(readOptions(["--data", "/tmp/b"], env).store).toEqual(folder("/tmp/b"));
  expect(readOptions(["--store", "sqlite:./c.db"], env).store).toBe("sqlite:./c.db");
  expect(() => readOptions(["--store", "memory:", "--data", "/tmp/b"], {})).toThrow("only one of them");
});

test("the real model is used if there is a key or an address", () => {
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
  [["--demo", "--data", "a"], "--demo takes no other option"],
  [["--bogus"], "--bogus"],
  [["hello"], "hello"],
])("the arguments %j are refused with what to do", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});

test("a strategy may be shortened", () => {
  expect(readOptions(["--recover", "r"], {}).recover).toBe("retry");
});
