import { expect, test } from "vitest";
import { HELP, readOptions, UsageError } from "../src/options.js";

test("arguments are read, and those that make no sense are refused with what to do", () => {
  expect(readOptions(["--port", "0", "--data", "/tmp/x", "--delay", "1"])).toEqual({
    help: false,
    port: 0,
    data: "/tmp/x",
    delayMs: 1,
  });
  expect(readOptions(["--help"]).help).toBe(true);
  for (const args of [["--port", "many"], ["--delay", "-1"], ["--loud"], ["word"]])
    expect(() => readOptions(args)).toThrow(UsageError);
  expect(HELP).toContain("npm run web-chat");
});
