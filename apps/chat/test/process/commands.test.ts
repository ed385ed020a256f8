import { describe, expect, test } from "vitest";
import { ChatProcess } from "./chat-process.js";
import { dataFolder, storedSessions } from "./data-folder.js";

describe("commands", () => {
  test("/undo removes the last exchange with its tool calls", async () => {
    const folder = dataFolder();
    const { output } = await ChatProcess.talk(folder, [
      "blue",
      "2 + 2",
      "/undo",
      "/undo",
      "what did I say before?",
    ]);
    expect(output).toContain('Taken back: "2 + 2" (4 messages).');
    expect(output).toContain('Taken back: "blue" (2 messages).');
    expect(output).toContain("Nothing yet: this is the first thing you say");
  });

  test("/revert restores exactly the messages of /snapshot", async () => {
    const { output } = await ChatProcess.talk(dataFolder(), [
      ...["red", "/snapshot before the storm", "blue", "/undo", "/undo", "green"],
      ...["/revert", "/revert before the storm", "what did I say before?"],
    ]);
    expect(output).toContain('Snapshot "before the storm": 2 messages.');
    expect(output).toContain("  before the storm  (2 messages, just now)");
    expect(output).toContain('Back at "before the storm": 2 messages.');
    expect(output).toContain('Before this you said "red".');
  });

  test("/fork enters a copy, and later messages of the copy and the original are separate", async () => {
    const folder = dataFolder();
    const { output, errors } = await ChatProcess.talk(folder, [
      ...["red", "/fork another way", "blue", "/list", "/switch 2"],
      "what did I say before?",
    ]);
    expect(output).toMatch(
      /^\* 1 {2}\S+ {2}another way {2}\(4 messages, just now\)\n {2}2 {2}\S+ {2}red {2}\(2 messages/m,
    );
    expect(errors).toContain("goes back to the original.");
    expect(output).toContain('Before this you said "red".\n');
    expect((await storedSessions(folder)).map(({ messageCount }) => messageCount)).toEqual([4, 4]);
  });

  test("/new begins another conversation, and /switch returns by number or by id", async () => {
    const folder = dataFolder();
    await ChatProcess.talk(folder, ["red"]);
    const [red] = await storedSessions(folder);
    const second = await ChatProcess.talk(folder, [
      "/new",
      "blue",
      `/switch ${red?.id.slice(0, 13)}`,
      "what did I say before?",
    ]);
    expect(second.output).toContain('Before this you said "red".');
    const third = await ChatProcess.talk(folder, ["what did I say before?", "/list"]);
    expect(third.errors).toContain('Going on with "red"');
    expect(third.output).toMatch(/^\* 1 .* red .*\n {2}2 .* blue /m);
  });

  test("the number of /switch means the list that was shown, even if the order has changed since", async () => {
    const { output } = await ChatProcess.talk(dataFolder(), [
      ...["red", "/new", "blue", "/list", "/switch 2", "green", "/switch 1", "what did I say before?"],
    ]);
    expect(output).toContain('Before this you said "blue".');
  });

  test("--new and --session choose the conversation", async () => {
    const folder = dataFolder();
    await ChatProcess.talk(folder, ["red"]);
    await ChatProcess.talk(folder, ["blue"], ["--new"]);
    const sessions = await storedSessions(folder);
    expect(sessions.map(({ title }) => title)).toEqual(["blue", "red"]);
    const { output } = await ChatProcess.talk(
      folder,
      ["what did I say before?"],
      ["--session", sessions[1]?.id ?? ""],
    );
    expect(output).toBe('Before this you said "red".\n');
  });

  test("/usage adds up across starts", async () => {
    const folder = dataFolder();
    const usage = (output: string) => Number(/inputTokens: (\d+)/.exec(output)?.[1]);
    const first = await ChatProcess.talk(folder, ["red", "/usage"]);
    const second = await ChatProcess.talk(folder, ["blue", "/usage"]);
    expect(first.output).toContain("turns: 1\n");
    expect(second.output).toContain("turns: 2\n");
    expect(usage(second.output)).toBeGreaterThan(usage(first.output));
  });

  test.each([
    ["/undo", "Nothing was said in this conversation yet."],
    ["/switch 7", 'There is no conversation "7".'],
  ])("%s without anything to list says so", async (line, words) => {
    const { code, errors } = await ChatProcess.talk(dataFolder(), [line]);
    expect(code).toBe(1);
    expect(errors).toContain(words);
  });

  test("/help lists all commands, and /quit ends the chat", async () => {
    const { code, output } = await ChatProcess.talk(dataFolder(), ["/help", "/quit", "hello"]);
    expect(code).toBe(0);
    for (const name of [
      "/new",
      "/list",
      "/switch",
      "/fork",
      "/undo",
      "/snapshot",
      "/revert",
      "/usage",
      "/help",
    ])
      expect(output).toContain(`  ${name} `);
    expect(output).not.toContain("Hello.");
  });
});
