import { SessionError, type SessionStore } from "@sessions/protocol";
import type { UIMessageChunk } from "ai";
import { ImmediateClock, memoryPlace, withTurns } from "test-tools";
import { expect, test } from "vitest";
import { type ChatHandlers, type ChatHandlersOptions, createChatHandlers, loadChat } from "../src/index.js";
import { chatRequest, chunksIn, postRequest } from "./requests.js";

const MIB = 1024 * 1024;
const LONGEST_PAUSE_MS = 1000;
const HELLO: readonly UIMessageChunk[] = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello." },
  { type: "text-end", id: "1" },
];

function handlersOn(store: SessionStore, options: Partial<ChatHandlersOptions> = {}): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: "public",
    async *respond() {
      yield* HELLO;
    },
    ...options,
  });
}

function unavailable(): SessionError {
  return SessionError.of("STORE_UNAVAILABLE", "The engine stands still.", {});
}

test("a request of 16 MiB is read, and one of a byte more is a 413", async () => {
  const { post } = handlersOn(await memoryPlace().open());
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Hi." }] };
  const sized = (bytes: number): Request =>
    new Request("http://localhost/api/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "c", messages: [message] }).padEnd(bytes, " "),
    });
  expect((await post(sized(16 * MIB + 1))).status).toBe(413);
  expect((await chunksIn(await post(sized(16 * MIB)))).at(-1)).toEqual({ type: "finish" });
});

/** A store whose calls all fail before this time, and work afterwards. */
function downUntil(store: SessionStore, clock: ImmediateClock, upAtMs: number) {
  const calledAt: number[] = [];
  const failing = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return async (...call: readonly unknown[]): Promise<unknown> => {
        calledAt.push(clock.monotonic());
        if (clock.monotonic() < upAtMs) throw unavailable();
        return Reflect.apply(value, target, call);
      };
    },
  });
  return { store: failing, calledAt };
}

const ROUTES: readonly (readonly [string, (handlers: ChatHandlers) => Promise<Response>])[] = [
  ["post", ({ post }) => post(postRequest("Hi."))],
  ["resume", ({ resume }) => resume(chatRequest(), "c")],
  ["stop", ({ stop }) => stop(chatRequest(), "c")],
  ["load", ({ load }) => load(chatRequest(), "c")],
];

test.each(ROUTES)(
  "%s calls an unavailable store again for up to two seconds, and then responds with a 503",
  async (_name, ask) => {
    const clock = new ImmediateClock();
    const { store, calledAt } = downUntil(await memoryPlace().open(), clock, Number.POSITIVE_INFINITY);
    const response = await ask(handlersOn(store, { clock }));
    expect([response.status, response.headers.get("x-session-error")]).toEqual([503, "STORE_UNAVAILABLE"]);
    const last = calledAt.at(-1) ?? 0;
    expect(last).toBeLessThanOrEqual(2000);
    expect(last).toBeGreaterThan(2000 - LONGEST_PAUSE_MS);
  },
);

test.each(ROUTES)("%s succeeds if the store is available again within a second", async (_name, ask) => {
  const clock = new ImmediateClock();
  const { store, calledAt } = downUntil(await memoryPlace().open(), clock, 1000);
  const response = await ask(handlersOn(store, { clock }));
  expect(response.ok).toBe(true);
  await response.text();
  expect(calledAt.filter((at) => at < 1000).length).toBeGreaterThan(3);
});

test("the end of an answer is retried for up to half of ttlMs, and then the page gets an error", async () => {
  const ttlMs = 30_000;
  const clock = new ImmediateClock();
  const sentAt: number[] = [];
  const store = await memoryPlace().open();
  const { post } = handlersOn(
    withTurns(store, () => ({
      complete: async () => {
        sentAt.push(clock.monotonic());
        throw unavailable();
      },
    })),
    { clock, ttlMs },
  );
  const chunks = await chunksIn(await post(postRequest("Hi.")));
  expect(chunks.at(-1)).toEqual({ type: "error", errorText: "An error occurred." });
  const [first = 0] = sentAt;
  const lastedMs = (sentAt.at(-1) ?? 0) - first;
  expect(lastedMs).toBeLessThanOrEqual(ttlMs / 2);
  expect(lastedMs).toBeGreaterThan(ttlMs / 2 - LONGEST_PAUSE_MS);
  expect(await loadChat(store, "c")).toMatchObject({ isAnswering: false, cutOff: {} });
});
