import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  type Json,
  type Message,
  type SessionStore,
  type StandardSchemaV1,
  typedSessions,
} from "../src/index.js";

declare const store: SessionStore;

describe("sessions typed by schemas", () => {
  const message = z.discriminatedUnion("role", [
    z.object({ role: z.literal("user"), content: z.string(), mood: z.enum(["good", "bad"]).optional() }),
    z.object({
      role: z.literal("tool"),
      content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
    }),
  ]);
  const chat = typedSessions(store, { message, metadata: { topic: z.string(), points: z.number() } }).session(
    "s",
  );

  test("history comes back in the schema's type, with the store's own fields", async () => {
    const [first] = await chat.getChatHistory();
    if (first === undefined) return;
    expectTypeOf(first.id).toEqualTypeOf<string>();
    expectTypeOf(first.createdAt).toEqualTypeOf<number>();
    if (first.role === "user") expectTypeOf(first.mood).toEqualTypeOf<"good" | "bad" | undefined>();
    if (first.role === "tool") expectTypeOf(first.content[0]?.text).toEqualTypeOf<string | undefined>();
  });

  test("metadata comes back by key, any of which may be absent", async () => {
    const session = await chat.getSession();
    expectTypeOf(session?.metadata.topic).toEqualTypeOf<string | undefined>();
    expectTypeOf(session?.metadata["bot.turns"]).toEqualTypeOf<Json | undefined>();
    expectTypeOf(session?.revision).toEqualTypeOf<number | undefined>();
  });

  test("what does not match does not compile", () => {
    void chat.addMessage({ role: "user", content: "hi", id: "m1" });
    // @ts-expect-error the schema has no such role
    void chat.addMessage({ role: "system", content: "hi" });
    // @ts-expect-error the content of a user is a string
    void chat.addMessage([{ role: "user", content: [] }]);
    void chat.updateSessionMetadata({ topic: "parcels", points: null });
    // @ts-expect-error a topic is a string
    void chat.updateSessionMetadata({ topic: 7 });
    // @ts-expect-error there is no such key
    void chat.updateSessionMetadata({ topci: "parcels" });
    // @ts-expect-error a message has a role
    void typedSessions(store, { message: z.object({ content: z.string() }) });
  });

  test("the type is what the schema takes: a default may be absent in what is stored", async () => {
    const withDefault = z.object({ role: z.string(), lang: z.string().default("en") });
    const [first] = await typedSessions(store, { message: withDefault }).session("s").getChatHistory();
    expectTypeOf(first?.lang).toEqualTypeOf<string | undefined>();
  });

  test("a schema that was written by hand is inferred too", async () => {
    interface Said {
      readonly role: "user";
      readonly content: string;
    }
    const schema: StandardSchemaV1<Said> = {
      "~standard": { version: 1, vendor: "by hand", validate: () => ({ issues: [] }) },
    };
    const [first] = await typedSessions(store, { message: schema }).session("s").getChatHistory();
    expectTypeOf(first?.content).toEqualTypeOf<string | undefined>();
  });
});

describe("sessions typed without schemas", () => {
  interface Said {
    readonly role: "user" | "assistant";
    readonly content: string;
  }

  test("type arguments are taken on trust", async () => {
    const chat = typedSessions<Said, { topic: string }>(store).session("s");
    expectTypeOf((await chat.getChatHistory())[0]?.content).toEqualTypeOf<string | undefined>();
    expectTypeOf((await chat.getSession())?.metadata.topic).toEqualTypeOf<string | undefined>();
    // @ts-expect-error a role of a message is one of two
    void chat.addMessage({ role: "tool", content: "hi" });
  });

  test("without type arguments they are those of the store", async () => {
    const chat = typedSessions(store).session("s");
    expectTypeOf(await chat.getChatHistory()).toEqualTypeOf<Message[]>();
    void chat.addMessage({ role: "user", content: "hi", anything: 1 });
    void chat.updateSessionMetadata({ anything: [1] });
  });
});
