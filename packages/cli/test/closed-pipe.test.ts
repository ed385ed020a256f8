import { expect, test } from "vitest";
import { started, temporaryFolder } from "./run-sessions.js";

const COMMANDS = ["--help", "--version", "ls --help", "help doctor", "completion bash"];

test.each(COMMANDS)("`sessions %s` ends quietly when nobody reads its output", async (command) => {
  const { process, ended } = started(command.split(" "), { cwd: await temporaryFolder() });
  process.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test("a wrong command line ends with its exit code even when its error cannot be printed", async () => {
  const { process, ended } = started(["nonsense"], { cwd: await temporaryFolder() });
  process.stderr?.destroy();
  expect(await ended).toMatchObject({ code: 2 });
});
