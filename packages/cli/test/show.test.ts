import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { sessionsHere, temporaryFolder } from "./run-sessions.js";

const CITY = "a-city-with-a-very-long-name-".repeat(8);

/** The same exchange with a tool, as each SDK writes it. */
const shapes = {
  "OpenAI chat": [
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
      ],
    },
    { role: "tool", tool_call_id: "c1", content: '{"celsius":19}' },
  ],
  "AI SDK ModelMessage": [
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Paris" } }],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c1", toolName: "weather", output: { celsius: 19 } }],
    },
  ],
  "AI SDK UIMessage": [
    {
      role: "assistant",
      parts: [
        {
          type: "tool-weather",
          toolCallId: "c1",
          state: "output-available",
          input: { city: "Paris" },
          output: { celsius: 19 },
        },
      ],
    },
  ],
  "OpenAI Agents items": [
    {
      role: "assistant",
      item: { type: "function_call", callId: "c1", name: "weather", arguments: '{"city":"Paris"}' },
    },
    { role: "tool", item: { type: "function_call_result", callId: "c1", output: { celsius: 19 } } },
  ],
  "Anthropic blocks": [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "c1", name: "weather", input: { city: "Paris" } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: { celsius: 19 } }] },
  ],
};

test.each(Object.entries(shapes))(
  "show prints name, input and output of a tool: %s",
  async (_name, messages) => {
    const cwd = await temporaryFolder();
    await using store = await openStore(`file:${cwd}/store`);
    await store.addMessage("s", messages);
    const { stdout } = await sessionsHere(["show", "s", "--store", "file:./store"], { cwd });
    expect(stdout).toContain('  → weather (c1) {"city":"Paris"}\n');
    expect(stdout).toContain('  ← weather (c1) {"celsius":19}\n');
    expect(stdout.match(/celsius/g), "an output is shown once").toHaveLength(1);
  },
);

test("show shortens long inputs and outputs of tools and says so, and --full shows them whole", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store`);
  const call = {
    id: "c1",
    type: "function",
    function: { name: "weather", arguments: JSON.stringify({ city: CITY }) },
  };
  await store.addMessage("s", [
    { role: "assistant", content: "Let me look.", tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: JSON.stringify({ of: CITY, celsius: 19 }) },
  ]);
  const folded = await sessionsHere(["show", "s", "--store", "file:./store"], { cwd });
  expect(folded.stdout).toContain("Let me look.");
  expect(folded.stdout).not.toContain(CITY);
  expect(folded.stderr).toContain("--full shows them whole");
  const full = await sessionsHere(["show", "s", "--full", "--store", "file:./store"], { cwd });
  expect(full.stdout).toContain(`"city": "${CITY}"`);
  expect(full.stdout).toContain('"celsius": 19\n');
  expect(full.stderr).not.toContain("--full");
});

test("show --archived sets the archived messages apart from the live ones", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store`);
  const said = (id: string): { id: string; role: string; content: string } => ({
    id,
    role: "user",
    content: `said ${id}`,
  });
  await store.addMessage("s", ["m1", "m2", "m3"].map(said));
  const archive = await store.archiveMessages("s", { keepRecent: 1 });
  const { stdout } = await sessionsHere(["show", "s", "--archived", "--store", "file:./store"], { cwd });
  const lines = stdout.split("\n");
  const order = [
    `—— archive ${archive?.id}: 2 messages ——`,
    "  said m1",
    "  said m2",
    "—— live: 1 message ——",
    "  said m3",
  ];
  expect(lines.filter((line) => order.includes(line))).toEqual(order);
});

test("show marks a draft that is being written and one that was never finished", async () => {
  const cwd = await temporaryFolder();
  await using store = await openStore(`file:${cwd}/store`);
  const failed = store.runTurn("s", {}, async (turn) => {
    await turn.append({ id: "left", role: "assistant", content: "half", status: "partial" });
    throw new Error("the model does not answer");
  });
  await expect(failed).rejects.toThrow("the model does not answer");
  await using turn = await store.beginTurn("s").then((begun) => {
    if (begun.status !== "begun") throw new Error("the turn did not begin");
    return begun.turn;
  });
  await turn.append({ id: "written", role: "assistant", content: "now", status: "partial" });
  const { stdout } = await sessionsHere(["show", "s", "--store", "file:./store"], { cwd });
  expect(stdout).toMatch(/^assistant \[interrupted: it was never finished\] .* left$/m);
  expect(stdout).toMatch(/^assistant \[partial: still being written\] .* written$/m);
});
