import type { ContentPart, Json, JsonObject, Message } from "@sessions/protocol";
import type { RunnerTurn } from "@sessions/turn-runner";
import { describe, expect, test } from "vitest";
import type { OpenAICompatibleOptions } from "../src/index.js";
import { answer, message } from "./answering.js";
import type { ChatRequestMessage } from "./chat-request.js";
import { says, stops } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

/** What the server is sent for these messages. It must accept it. */
async function sent(
  messages: readonly Message[],
  options: Partial<OpenAICompatibleOptions> = {},
  turn: Partial<RunnerTurn> = {},
): Promise<readonly ChatRequestMessage[]> {
  await using server = await ScriptedServer.start(streamed(says("ok"), stops()));
  const { error } = await answer({ baseURL: server.baseURL, ...options }, { messages, ...turn });
  expect({ error, refusals: server.refusals }).toEqual({ error: undefined, refusals: [] });
  return server.bodies[0]?.messages ?? [];
}

const call = (id: string, input: Json = {}): ContentPart => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "look",
  input,
});
const result = (id: string, output: Json): ContentPart => ({
  type: "tool-result",
  toolCallId: id,
  toolName: "look",
  output,
});
const chatCall = (id: string, args: string): JsonObject => ({
  id,
  type: "function",
  function: { name: "look", arguments: args },
});
const user = message("user", "Well?");

describe("the messages of a request", () => {
  test("a request has the instructions first, then summaries and messages in order", async () => {
    const messages = [
      message("system", "Summary: they met.", { metadata: { archiveId: "a1" } }),
      message("user", "Hi.", { name: "ada", metadata: { turnId: "t" }, ownField: 1 }),
      message("assistant", "Hello."),
      message("developer", "Be brief."),
      message(
        "user",
        [
          { type: "text", text: "Who" },
          { type: "text", text: "are you?" },
        ],
        { name: "Ada L." },
      ),
    ];
    const config = { model: "test-model", instructions: "You are a test." };
    expect(await sent(messages, {}, { config })).toEqual([
      { role: "system", content: "You are a test." },
      { role: "system", content: "Summary: they met." },
      { role: "user", content: "Hi.", name: "ada" },
      { role: "assistant", content: "Hello." },
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Who\nare you?" },
    ]);
  });

  test("a request has an interrupted answer unchanged, and leaves out an empty one", async () => {
    const messages = [
      message("user", "Count."),
      message(
        "assistant",
        [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "one, t" },
        ],
        { status: "interrupted" },
      ),
      message("user", "Go on."),
      message("assistant", "", { status: "interrupted" }),
      message("assistant", [], { status: "interrupted" }),
      user,
    ];
    expect((await sent(messages)).map(({ content }) => content)).toEqual([
      "Count.",
      "one, t",
      "Go on.",
      "Well?",
    ]);
  });

  test("a request leaves out messages of roles that models do not have", async () => {
    expect(await sent([message("note", "for people"), user])).toEqual([{ role: "user", content: "Well?" }]);
  });

  test("a request has the text of UIMessages, items and refusals", async () => {
    const messages = [
      message("user", undefined, { parts: [{ type: "text", text: "from a UIMessage" }] }),
      message("assistant", undefined, {
        item: { type: "message", content: [{ type: "output_text", text: "from an item" }] },
      }),
      message("assistant", null, { refusal: "No." }),
    ];
    expect((await sent(messages)).map(({ content }) => content)).toEqual([
      "from a UIMessage",
      "from an item",
      "No.",
    ]);
  });

  test("a request has images, audio and files", async () => {
    const parts: ContentPart[] = [
      { type: "text", text: "Look:" },
      { type: "image", image: "aGk=", mediaType: "image/webp" },
      { type: "image", image: "https://example.com/a.png", mediaType: "image/*" },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
      { type: "file", data: "aGk=", mediaType: "image/jpeg" },
      { type: "file", data: "aGk=", mediaType: "audio/mpeg" },
      { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } },
      { type: "file", data: "aGk=", mediaType: "application/pdf", filename: "a.pdf" },
      { type: "file", data: "https://example.com/b.pdf", mediaType: "application/pdf", filename: "b.pdf" },
      { type: "file", file: { file_id: "file-1" } },
      { type: "hologram", data: "?" },
    ];
    const [{ content } = { content: undefined }] = await sent([message("user", parts)]);
    expect(content).toEqual([
      { type: "text", text: "Look:" },
      { type: "image_url", image_url: { url: "data:image/webp;base64,aGk=" } },
      { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
      { type: "image_url", image_url: { url: "data:image/jpeg;base64,aGk=" } },
      { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } },
      { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } },
      { type: "text", text: "(file b.pdf, application/pdf: https://example.com/b.pdf)" },
      { type: "file", file: { file_id: "file-1" } },
    ]);
  });

  test("a request has earlier reasoning only with sendReasoningAs", async () => {
    const thought = message("assistant", [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes." },
    ]);
    const theirs = message("assistant", "No.", { reasoning_content: "Hm!" });
    expect((await sent([user, thought, theirs])).slice(1)).toEqual([
      { role: "assistant", content: "Yes." },
      { role: "assistant", content: "No." },
    ]);
    expect(await sent([user, thought, theirs], { sendReasoningAs: "reasoning_content" })).toMatchObject([
      {},
      { content: "Yes.", reasoning_content: "Hm." },
      { content: "No.", reasoning_content: "Hm!" },
    ]);
    expect(await sent([user, thought], { sendReasoningAs: "reasoning" })).toMatchObject([
      {},
      { reasoning: "Hm." },
    ]);
  });
});

describe("tool calls of the history", () => {
  test("tool calls of the history are sent with their results, of every output type", async () => {
    const outputs: Json[] = [
      { type: "text", value: "plain" },
      { type: "json", value: { a: [1] } },
      { type: "error-text", value: "broken" },
      { type: "error-json", value: { code: 7 } },
      { type: "execution-denied", reason: "Not today." },
      {
        type: "content",
        value: [
          { type: "text", text: "seen" },
          { type: "media", mediaType: "image/png", data: "x" },
        ],
      },
      "as of old",
    ];
    const messages = [
      user,
      message("assistant", [
        { type: "text", text: "Look." },
        ...outputs.map((_, index) => call(`c${index}`, { index })),
      ]),
      message(
        "tool",
        outputs.map((output, index) => result(`c${index}`, output)),
      ),
    ];
    const [, assistant, ...tools] = await sent(messages);
    expect(assistant).toMatchObject({ content: "Look.", tool_calls: { length: 7 } });
    expect(tools.map(({ content }) => content)).toEqual([
      "plain",
      '{"a":[1]}',
      "Error: broken",
      'Error: {"code":7}',
      "Error: Not today.",
      "seen\n[media, image/png]",
      "as of old",
    ]);
  });

  test("tool calls and results in OpenAI's format are sent unchanged", async () => {
    const messages = [
      user,
      message("assistant", null, { tool_calls: [chatCall("c1", '{"a": 1}'), chatCall("c2", "{bad")] }),
      message("tool", "12", { tool_call_id: "c1" }),
      message("tool", [{ type: "text", text: "13" }], { tool_call_id: "c2" }),
    ];
    expect((await sent(messages)).slice(1)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [chatCall("c1", '{"a":1}'), chatCall("c2", '{"malformed_arguments":"{bad"}')],
      },
      { role: "tool", tool_call_id: "c1", content: "12" },
      { role: "tool", tool_call_id: "c2", content: "13" },
    ]);
  });

  test("a tool call without a result gets an error result", async () => {
    const messages = [
      user,
      message("assistant", [call("c1"), call("c2")]),
      message("tool", [result("c2", "2")]),
      user,
    ];
    const [, , first, second, last] = await sent(messages);
    expect(first).toMatchObject({
      tool_call_id: "c1",
      content: expect.stringMatching(/^Error: There is no result/),
    });
    expect(second).toMatchObject({ tool_call_id: "c2", content: "2" });
    expect(last).toMatchObject({ role: "user" });
  });

  test("each tool call is followed by exactly one result, and a result without a call is dropped", async () => {
    const messages = [
      message("tool", [result("gone", "orphan")]),
      message("assistant", [call("c1")]),
      message("assistant", [call("c2")]),
      user,
      message("tool", [result("c2", "2"), result("c1", "1"), result("c1", "again")]),
    ];
    expect((await sent(messages)).map(({ role, content }) => [role, content])).toEqual([
      ["assistant", null],
      ["tool", "1"],
      ["assistant", null],
      ["tool", "2"],
      ["user", "Well?"],
    ]);
  });

  test("tool calls that share an id get different ids", async () => {
    const twice = ["first", "second"].flatMap((text) => [
      message("assistant", [call("call_0")]),
      message("tool", [result("call_0", text)]),
    ]);
    const tools = (await sent([user, ...twice])).filter(({ role }) => role === "tool");
    expect(tools.map((tool) => [tool.tool_call_id, tool.content])).toEqual([
      ["call_0", "first"],
      ["call_0_2", "second"],
    ]);
  });

  test("tool calls that a provider ran itself are not sent", async () => {
    const ran = [
      { ...call("p1"), providerExecuted: true },
      result("p1", "found"),
      { type: "text", text: "Found it." },
    ];
    expect(await sent([user, message("assistant", ran)])).toMatchObject([
      {},
      { role: "assistant", content: "Found it." },
    ]);
  });
});
