import { expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/commands.js";
import { findCommand } from "../../src/commands/find-command.js";

test("every command of the help exists", () => {
  const names = COMMANDS.map(({ name }) => name);
  const promised = "/new /list /switch /fork /undo /snapshot /revert /usage /help /quit".split(" ");
  expect(names).toEqual(expect.arrayContaining(promised));
});

test("a command is found with its argument", () => {
  const call = findCommand("/SWITCH   2  ");
  expect([call?.command.name, call?.argument]).toEqual(["/switch", "2"]);
  expect(findCommand("/snapshot before the storm")?.argument).toBe("before the storm");
});

test("a message is no command, and neither is a slash after a space", () => {
  expect(findCommand("hello")).toBeUndefined();
  expect(findCommand(" /etc/passwd")).toBeUndefined();
});

test.each([
  ["/lst", "Did you mean /list?"],
  ["/snap", "Did you mean /snapshot?"],
  ["/unod", "Did you mean /undo?"],
  ["/frobnicate", "There is no command /frobnicate. /help lists them"],
])("the wrong command %s gets a hint", (line, hint) => {
  expect(() => findCommand(line)).toThrow(hint);
});
