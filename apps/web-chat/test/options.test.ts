import { expect, test } from "vitest";
import { HELP, readOptions, UsageError } from "../src/options.js";

test("arguments are parsed, and wrong ones are refused with a message that says what to do", () => {
  expect(readOptions(["--port", "0", "--data", "/tmp/x", "--delay", "1"], {})).toEqual({
    help: false,
    port: 0,
    store: { store: "file", root: "/tmp/x" },
    delayMs: 1,
    allowedHosts: [],
  });
  expect(readOptions(["--help"], {}).help).toBe(true);
  const both = ["--data", "x", "--store", "memory:"];
  for (const args of [["--port", "many"], ["--delay", "-1"], ["--loud"], ["word"], both])
    expect(() => readOptions(args, {})).toThrow(UsageError);
  const env = { SESSIONS_STORE: "sqlite:./chats.db" };
  expect(readOptions([], env).store).toBe("sqlite:./chats.db");
  expect(readOptions(["--store", "memory:"], env).store).toBe("memory:");
  expect(readOptions([], { SESSIONS_STORE: "" }).store).toMatchObject({ store: "file" });
  expect(HELP).toContain("npm run web-chat");
});
