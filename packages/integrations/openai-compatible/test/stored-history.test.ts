import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJsonFileStore } from "@sessions/json-file";
import { openMemoryStore } from "@sessions/memory";
import type { MessageInput, SessionStore } from "@sessions/protocol";
import type { AgentEvent } from "@sessions/turn-runner";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openaiCompatibleRunner, type Tool } from "../src/index.js";
import { listen, turnOf } from "./answering.js";
import { calls, says, stops, thinks, uses } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-openai-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const stores: Record<string, () => Promise<SessionStore>> = {
  memory: async () => openMemoryStore(),
  "json-file": () => openJsonFileStore({ root }),
};

const tools: Record<string, Tool> = {
  echo: { execute: (input) => input },
  fail: {
    execute: () => {
      throw new Error("no such file");
    },
  },
};

describe.each(Object.entries(stores))("history in %s", (_, open) => {
  test.each([undefined, "reasoning_content"] as const)(
    "a stored turn is sent to the model later exactly as its own steps sent it (reasoning as %s)",
    async (sendReasoningAs) => {
      await using store = await open();
      await using server = await ScriptedServer.start(
        streamed(
          thinks("Hm."),
          says("One 😀. "),
          calls(0, "call_a", "echo", '{"a":1}'),
          stops(),
          uses({ prompt_tokens: 1 }),
        ),
        streamed(
          calls(0, "call_b", "fail"),
          calls(1, "call_c", "echo", "{bad"),
          stops(),
          uses({ prompt_tokens: 2 }),
        ),
        streamed(says("Done."), stops(), uses({ prompt_tokens: 3 })),
        streamed(says("Later."), stops()),
      );
      const runner = openaiCompatibleRunner({ baseURL: server.baseURL, tools, sendReasoningAs });
      const session = store.session(`reasoning as ${sendReasoningAs}`);
      await session.addMessage({ role: "user", content: "Hello." });
      const run = async (): Promise<readonly AgentEvent[]> => {
        const { messages, tokens, omitted } = await session.getContext({ maxTokens: 10_000 });
        const { events, error } = await listen(runner(turnOf({ messages, context: { tokens, omitted } })));
        expect(error).toBeUndefined();
        return events;
      };
      const events = await run();
      expect(events.filter(({ type }) => type === "usage")).toHaveLength(3);
      for (const message of stored(events)) await session.addMessage(message);
      await run();
      const [, , third, later] = server.bodies;
      expect(third?.messages).toHaveLength(6);
      expect(later?.messages).toEqual([...(third?.messages ?? []), { role: "assistant", content: "Done." }]);
      expect(server.refusals).toEqual([]);
    },
  );
});

/** The messages that a turn leaves behind: an answer up to its calls, then a message for each result. */
function stored(events: readonly AgentEvent[]): readonly MessageInput[] {
  const messages: { role: string; content: Record<string, unknown>[] }[] = [];
  for (const event of events) {
    if (event.type === "tool-result") messages.push({ role: "tool", content: [resultPart(event)] });
    if (event.type === "tool-result" || event.type === "usage") continue;
    if (messages.at(-1)?.role !== "assistant") messages.push({ role: "assistant", content: [] });
    messages.at(-1)?.content.push(answerPart(event));
  }
  return messages;
}

function answerPart(event: AgentEvent): Record<string, unknown> {
  if (event.type === "text-delta") return { type: "text", text: event.text };
  return event.type === "reasoning-delta" ? { type: "reasoning", text: event.text } : { ...event };
}

function resultPart(event: AgentEvent & { type: "tool-result" }): Record<string, unknown> {
  const { toolCallId, toolName, output, isError } = event;
  const kind = typeof output === "string" ? "text" : "json";
  const value = { type: isError ? `error-${kind}` : kind, value: output };
  return { type: "tool-result", toolCallId, toolName, output: value };
}
