import { setTimeout as pause } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  openMemoryStore,
  SessionError,
  type SessionStore,
  type StandardSchemaV1,
  typedSessions,
} from "../src/index.js";

let store: SessionStore;
beforeEach(() => {
  store = openMemoryStore();
});

const zodMessage = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
});

interface Said {
  readonly role: string;
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
}

/** What is wrong with the content of a message, as a schema that somebody wrote by hand says it. */
function issuesOf(
  value: unknown,
): readonly { readonly message: string; readonly path: (string | number)[] }[] {
  const content: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "content") : undefined;
  if (!Array.isArray(content)) return [{ message: "must be parts", path: ["content"] }];
  return content.flatMap((part, index) =>
    typeof part.text === "string" ? [] : [{ message: "must be a text", path: ["content", index, "text"] }],
  );
}

function schemaOf(validate: StandardSchemaV1<Said>["~standard"]["validate"]): StandardSchemaV1<Said> {
  return { "~standard": { version: 1, vendor: "by hand", validate } };
}

const isSaid = (value: unknown): value is Said => issuesOf(value).length === 0;
const resultOf = (value: unknown) => (isSaid(value) ? { value } : { issues: issuesOf(value) });

const handWritten = schemaOf(resultOf);

const asynchronous = schemaOf(async (value) => {
  await pause(5);
  return resultOf(value);
});

/** Plain JavaScript gives anything. */
function call(target: object, method: string, ...args: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(Reflect.get(target, method), target, args);
}

const said = (text: unknown, role = "user") => ({ role, content: [{ type: "text", text }] });

describe.each<[string, StandardSchemaV1<Said>]>([
  ["zod", zodMessage],
  ["a schema written by hand", handWritten],
  ["an asynchronous schema", asynchronous],
])("messages typed by %s", (_name, message) => {
  test("what matches is stored as it was given, with fields that the schema does not name", async () => {
    const chat = typedSessions(store, { message }).session("s");
    const content = [{ type: "text" as const, text: "one" }];
    const given = { role: "user", content, mood: "good" };
    const { messages } = await chat.addMessage([given]);
    expect(messages).toMatchObject([given]);
    expect(await chat.getChatHistory()).toEqual(messages);
    expect(await chat.getMessages([messages[0]?.id ?? ""])).toEqual(messages);
    expect((await chat.getSession())?.messages).toEqual(messages);
    expect(await store.getChatHistory("s")).toEqual(messages);
  });

  test.each<[string, unknown[], string]>([
    ["addMessage", [said(7)], "messages[0].content[0].text"],
    ["addMessage", [[said("good"), said(7)]], "messages[1].content[0].text"],
    ["setChatHistory", [[said("good"), said(7)]], "messages[1].content[0].text"],
    ["updateMessage", ["first", said(7)], "message.content[0].text"],
    ["checkedMessages", [said(7)], "messages[0].content[0].text"],
  ])(
    "%s(%j) that does not match is refused with the path, and nothing is written",
    async (method, args, path) => {
      const chat = typedSessions(store, { message }).session("s");
      await store.addMessage("s", { id: "first", ...said("one") });
      const before = await store.getSession("s");
      const error = await call(chat, method, ...args).catch((reason: unknown) => reason);
      expect(SessionError.is(error, "INVALID_ARGUMENT"), String(error)).toBe(true);
      expect(error).toMatchObject({
        path,
        message: expect.stringContaining(`${path} does not match the schema: `),
      });
      expect(await store.getSession("s")).toEqual(before);
    },
  );

  test("checked messages can be written in a turn", async () => {
    const chat = typedSessions(store, { message }).session("s");
    await chat.untyped.runTurn(
      { messages: await chat.checkedMessages({ role: "user", content: [{ type: "text", text: "one" }] }) },
      async (turn) => {
        await turn.append(
          await chat.checkedMessages({ role: "assistant", content: [{ type: "text", text: "two" }] }),
        );
      },
    );
    expect((await chat.getChatHistory()).map(({ content }) => content[0]?.text)).toEqual(["one", "two"]);
  });

  test("reads are validated if asked for: a mismatch names session, message and path, and nothing is dropped", async () => {
    await store.addMessage("s", [
      { id: "good", ...said("one") },
      { id: "bad", ...said(7) },
    ]);
    const unvalidated = typedSessions(store, { message }).session("s");
    expect(await unvalidated.getChatHistory()).toHaveLength(2);
    const chat = typedSessions(store, { message, validateReads: true }).session("s");
    for (const read of [
      () => chat.getChatHistory(),
      () => chat.getMessages(["good", "bad"]),
      () => chat.getSession(),
    ]) {
      const error = await read().catch((reason: unknown) => reason);
      expect(SessionError.is(error, "SCHEMA_MISMATCH"), String(error)).toBe(true);
      expect(error).toMatchObject({
        sessionId: "s",
        messageId: "bad",
        path: "message.content[0].text",
        retryable: false,
        message: expect.stringContaining(
          'Message "bad" of session "s" does not match the schema at message.content[0].text: ',
        ),
      });
    }
    expect(await chat.getMessages(["good"])).toHaveLength(1);
    expect(await store.getChatHistory("s")).toHaveLength(2);
  });

  test("a message that is changed while the schema decides is stored as it was validated", async () => {
    const chat = typedSessions(store, { message }).session("s");
    const given = { role: "user", content: [{ type: "text" as const, text: "one" }] };
    const adding = chat.addMessage(given);
    Reflect.set(given.content[0] ?? {}, "text", 7);
    await adding;
    expect(await store.getChatHistory("s")).toMatchObject([said("one")]);
  });
});

test("calls keep their order, if their schema decides at once", async () => {
  const chat = typedSessions(store, { message: zodMessage }).session("s");
  const plain = store.session("s");
  await Promise.all([
    chat.addMessage({ role: "user", content: [{ type: "text", text: "1" }] }),
    plain.addMessage(said("2")),
    chat.setChatHistory([{ role: "user", content: [{ type: "text", text: "3" }] }]),
    plain.addMessage(said("4")),
  ]);
  const texts = (await chat.getChatHistory()).map(({ content }) => content[0]?.text);
  expect(texts).toEqual(["3", "4"]);
});

test("a schema that refuses at once, beside one that is still deciding, is one error and no unhandled rejection", async () => {
  const mixed = schemaOf((value) => {
    if (JSON.stringify(value).includes("late"))
      return pause(5).then(() => ({ issues: [{ message: "late" }] }));
    return { issues: [{ message: "at once" }] };
  });
  const chat = typedSessions(store, { message: mixed }).session("s");
  const error = await call(chat, "addMessage", [said("late"), said("now")]).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path: "messages[1]" });
  await pause(20); // an unhandled rejection would fail this run
  expect(await store.sessionExists("s")).toBe(false);
});

test("an error of the schema itself reaches the caller, and nothing is written", async () => {
  const failure = new Error("the schema is broken");
  for (const validate of [
    () => {
      throw failure;
    },
    () => Promise.reject(failure),
  ]) {
    const chat = typedSessions(store, { message: schemaOf(validate) }).session("s");
    await expect(call(chat, "addMessage", said("one"))).rejects.toBe(failure);
  }
  expect(await store.sessionExists("s")).toBe(false);
});

test("a promise of another realm is waited for, and not taken for a value that matches", async () => {
  const elsewhere = schemaOf(() => runInNewContext("Promise.resolve({ issues: [{ message: 'no' }] })"));
  const chat = typedSessions(store, { message: elsewhere }).session("s");
  await expect(call(chat, "addMessage", said("one"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(await store.sessionExists("s")).toBe(false);
});

test("several issues are counted, and a schema that only says no is a refusal", async () => {
  const two = schemaOf(() => ({ issues: [{ message: "One." }, { message: "Two." }] }));
  const none = schemaOf(() => ({ issues: [] }));
  const messageOf = (message: StandardSchemaV1<Said>): Promise<unknown> =>
    call(typedSessions(store, { message }).session("s"), "addMessage", said("x")).catch(
      ({ message }) => message,
    );
  expect(await messageOf(two)).toBe("messages[0] does not match the schema: One (and 1 more).");
  expect(await messageOf(none)).toBe("messages[0] does not match the schema: it is refused.");
});

test("what is not JSON is refused before the schema sees it", async () => {
  const chat = typedSessions(store, { message: z.looseObject({ role: z.string() }) }).session("s");
  await expect(chat.addMessage({ role: "user", at: new Date() })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    path: "messages[0].at",
  });
});

describe("metadata typed by a schema for each key", () => {
  const metadata = { topic: z.string(), score: z.object({ points: z.number() }) };
  const chat = () => typedSessions(store, { metadata, validateReads: true }).session("s");

  test("keys that match are set, others stay, and null removes", async () => {
    await store.createSession("s", { metadata: { "bot.turns": 3 } });
    await chat().updateSessionMetadata({ topic: "parcels", score: { points: 2 } });
    await chat().updateSessionMetadata({ topic: null });
    expect((await chat().getSession())?.metadata).toEqual({ "bot.turns": 3, score: { points: 2 } });
  });

  test.each<[unknown, string, RegExp]>([
    [{ topic: 7 }, "metadata.topic", /does not match the schema: /],
    [{ topic: "good", score: { points: "2" } }, "metadata.score.points", /does not match the schema: /],
    [{ topci: "x" }, "metadata.topci", /has no schema\. Did you mean "topic"\?/],
    [{ zzzzzz: "x" }, "metadata.zzzzzz", /has no schema\. There are topic, score\./],
    [{ topic: undefined }, "metadata.topic", /null/],
    [7, "metadata", /must be an object/],
  ])("%j is refused, and nothing is written", async (patch, path, words) => {
    await store.createSession("s");
    await expect(call(chat(), "updateSessionMetadata", patch)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      path,
      message: expect.stringMatching(words),
    });
    expect(await store.getSession("s")).toMatchObject({ revision: 1, metadata: {} });
  });

  test("stored metadata that does not match is a SCHEMA_MISMATCH that names session and path", async () => {
    await store.createSession("s", { metadata: { score: { points: "2" } } });
    await expect(chat().getSession()).rejects.toMatchObject({
      code: "SCHEMA_MISMATCH",
      sessionId: "s",
      path: "metadata.score.points",
    });
  });
});

test.each<[unknown, string]>([
  [{ message: {} }, "schemas.message"],
  [{ message: z.object }, "schemas.message"],
  [{ metadata: { topic: "string" } }, "schemas.metadata.topic"],
  [{ metadata: [] }, "schemas.metadata"],
  [{ metadata: z.object({ topic: z.string() }) }, "schemas.metadata"],
  [{ metadata: handWritten }, "schemas.metadata"],
  [{ validateReads: "yes" }, "schemas.validateReads"],
  [{ mesage: zodMessage }, "schemas.mesage"],
])("schemas that are none are refused: %o", (schemas, path) => {
  const make = (): unknown => Reflect.apply(typedSessions, undefined, [store, schemas]);
  expect(make).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", path }));
});

test("without schemas nothing is validated", async () => {
  const chat = typedSessions<Said & { readonly role: string }>(store, { validateReads: true }).session("s");
  await call(chat, "addMessage", said(7));
  expect(await chat.getChatHistory()).toMatchObject([said(7)]);
});
