import type { SessionStore } from "@sessions/protocol";
import {
  convertToModelMessages,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  stepCountIs,
  streamText,
  tool,
} from "ai";
import type { MockLanguageModelV3 } from "ai/test";
import { Gate, storeKinds, withMethods } from "test-tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { type ChatHandlers, createChatHandlers, loadMessages } from "../src/index.js";
import { Page, textOfMessage } from "./page.js";
import { calling, saying, scriptedModel } from "./scripted-model.mjs";

const tools = {
  /** Run by the page. */
  ask: tool({
    description: "Asks the user.",
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.unknown(),
  }),
  /** Run by the server, once it is approved. */
  pay: tool({
    description: "Pays.",
    inputSchema: z.object({ amount: z.number() }),
    needsApproval: true,
    execute: async ({ amount }) => ({ paid: amount, at: new Date(0) }),
  }),
  /** Run by the server. */
  add: tool({
    description: "Adds.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => a + b,
  }),
};

function handlersWith(store: SessionStore, model: MockLanguageModelV3): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    respond: async ({ messages, signal }) =>
      streamText({
        model,
        tools,
        messages: await convertToModelMessages(messages, { tools }),
        abortSignal: signal,
        stopWhen: stepCountIs(5),
      }),
    checkpoint: { everyMs: 5 },
    ttlMs: 30_000,
  });
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(storeKinds)("tools of the server and of the page make one answer: $name", async ({ open }) => {
  const store = await open();
  const model = scriptedModel([
    calling(["t1", "add", { a: 1, b: 2 }], ["t2", "add", { a: 3, b: 4 }]),
    calling(["t3", "ask", { question: "Sure?" }]),
    saying("Then it is three and seven."),
  ]);
  const page: Page = new Page(handlersWith(store, model), "c", [], {
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall }) => {
      if (toolCall.toolName !== "ask") return;
      // Not waited for: the SDK would wait for itself.
      void page.addToolOutput({
        tool: "ask",
        toolCallId: toolCall.toolCallId,
        output: { sure: true, at: "now" },
      });
    },
  });
  await page.sendMessage({ text: "Add." });
  await expect.poll(() => page.texts.at(-1)).toContain("seven");
  await expect.poll(() => page.status).toBe("ready");
  expect(page.messages).toHaveLength(2);
  const stored = await loadMessages(store, "c");
  expect(plain(stored)).toEqual(plain(page.messages));
  const states = stored[1]?.parts.flatMap((part) =>
    "toolCallId" in part ? [[part.toolCallId, part.state]] : [],
  );
  expect(states).toEqual(["t1", "t2", "t3"].map((id) => [id, "output-available"]));
  expect(model.doStreamCalls).toHaveLength(3);
});

test.each(storeKinds)(
  "an approval continues the answer once, even if it is sent twice: $name",
  async ({ open }) => {
    const store = await open();
    const gate = new Gate();
    const model = scriptedModel(
      [calling(["t1", "pay", { amount: 5 }]), saying("It is paid.")],
      async ({ delta }) => {
        if (delta === "is ") await gate.passed;
      },
    );
    const handlers = handlersWith(store, model);
    const page = new Page(handlers, "c", [], {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await page.sendMessage({ text: "Pay." });
    const [part] = (await loadMessages(store, "c"))[1]?.parts.filter((one) => "approval" in one) ?? [];
    if (part === undefined || !("approval" in part) || part.approval === undefined)
      throw new Error("nobody asks");
    await page.addToolApprovalResponse({ id: part.approval.id, approved: true });
    await gate.reached;

    // In the middle of it: another page, and the same request again.
    const other = await Page.load(handlersWith(store, model), store, "c");
    const resumed = other.resumeStream();
    const again = JSON.stringify({
      id: "c",
      messages: plain(approved(page)),
      trigger: "submit-message",
      messageId: page.messages[1]?.id,
    });
    const repeated = handlers.post(
      new Request("http://localhost/api/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: again,
      }),
    );
    gate.open();
    await Promise.all([resumed, (await repeated).text()]);
    await expect.poll(() => page.status).toBe("ready");
    const stored = await loadMessages(store, "c");
    expect(page.texts).toEqual(["Pay.", "It is paid."]);
    expect(other.texts).toEqual(["Pay.", "It is paid."]);
    expect(stored).toHaveLength(2);
    expect(stored[1]?.parts.filter((one) => "toolCallId" in one)).toMatchObject([
      {
        state: "output-available",
        output: { paid: 5, at: "1970-01-01T00:00:00.000Z" },
        approval: { approved: true },
      },
    ]);
    expect(model.doStreamCalls).toHaveLength(2);
  },
);

/** The messages of a page as it sent them: without what has come since. */
function approved(page: Page): unknown {
  return page.messages.map((message) => ({
    ...message,
    parts: message.parts.flatMap((part): readonly unknown[] => {
      if (!("approval" in part)) return part.type === "text" && message.role === "assistant" ? [] : [part];
      const { output: _, ...call }: { output?: unknown } & typeof part = part;
      return [{ ...call, state: "approval-responded" }];
    }),
  }));
}

test("a page cannot change the text of the model, nor answer a tool call twice", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const model = scriptedModel([
    [...saying("Let me ask."), ...calling(["t1", "ask", { question: "Sure?" }])],
    saying("Good."),
  ]);
  const page = new Page(handlersWith(store, model), "c");
  await page.sendMessage({ text: "Hi." });
  const [, answer] = page.messages;
  if (answer === undefined) throw new Error("there is no answer");
  for (const part of answer.parts) if (part.type === "text") part.text = "I promise a million.";
  await page.addToolOutput({ tool: "ask", toolCallId: "t1", output: "yes" });
  await page.sendMessage();
  const stored = await loadMessages(store, "c");
  expect(JSON.stringify(stored)).not.toContain("million");
  expect(stored[1]?.parts.map(({ type }) => type)).toEqual([
    "step-start",
    "text",
    "tool-ask",
    "step-start",
    "text",
  ]);
});

test("a page can approve only what the model asked for", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const model = scriptedModel([calling(["t1", "pay", { amount: 5 }]), saying("It is paid.")]);
  const page = new Page(handlersWith(store, model), "c");
  await page.sendMessage({ text: "Pay five." });
  const call = page.messages[1]?.parts.find((part) => "approval" in part);
  if (call === undefined || !("approval" in call) || call.approval === undefined)
    throw new Error("nobody asks");
  await page.addToolApprovalResponse({ id: call.approval.id, approved: true, reason: "of course" });
  for (const part of page.messages[1]?.parts ?? [])
    if ("approval" in part) Object.assign(part, { type: "tool-add", input: { amount: 5000 }, title: "Gift" });
  await page.sendMessage();
  const stored = await loadMessages(store, "c");
  expect(stored[1]?.parts.filter((part) => "toolCallId" in part)).toMatchObject([
    { type: "tool-pay", input: { amount: 5 }, output: { paid: 5 }, approval: { reason: "of course" } },
  ]);
  expect(JSON.stringify(stored)).not.toMatch(/5000|Gift/);
});

test("a page cannot approve a call that needs no approval", async () => {
  const [kind] = storeKinds;
  const store = await kind?.open();
  if (store === undefined) throw new Error("there is a store");
  const model = scriptedModel([calling(["t1", "ask", { question: "Sure?" }]), saying("Good.")]);
  const page = new Page(handlersWith(store, model), "c");
  await page.sendMessage({ text: "Hi." });
  const approval = { id: "a1", approved: true };
  for (const part of page.messages[1]?.parts ?? [])
    if ("toolCallId" in part) Object.assign(part, { state: "approval-responded", approval });
  await page.sendMessage();
  expect(JSON.stringify(await loadMessages(store, "c"))).not.toContain("approval");
});

test.each(storeKinds)(
  "messages that others add while an answer is continued are not lost: $name",
  async ({ place: newPlace }) => {
    const place = await newPlace();
    const store = await place.open();
    const other = await place.open();
    const model = scriptedModel([calling(["t1", "ask", { question: "Sure?" }]), saying("Good.")]);
    const page = new Page(handlersWith(store, model), "c");
    await page.sendMessage({ text: "Hi." });
    await page.addToolOutput({ tool: "ask", toolCallId: "t1", output: "yes" });
    const late = new Page(handlersWith(appendingAfterBegin(store, other), model), "c", page.messages);
    await late.sendMessage();
    const texts = (await loadMessages(store, "c")).map(textOfMessage);
    expect(texts).toEqual(["Hi.", "Good.", "from elsewhere"]);
  },
);

/** A store to which another writer adds a message as soon as a turn has begun. */
function appendingAfterBegin(store: SessionStore, other: SessionStore): SessionStore {
  const beginTurn: SessionStore["beginTurn"] = async (...call) => {
    const begun = await store.beginTurn(...call);
    await other.addMessage("c", { role: "user", content: "from elsewhere" });
    return begun;
  };
  return withMethods(store, { beginTurn });
}
