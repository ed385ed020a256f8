import { SessionError, type SessionStore, sessionKey } from "@sessions/protocol";
import { ImmediateClock, memoryPlace } from "test-tools";
import { expect, test } from "vitest";
import { type ChatHandlers, type ChatHandlersOptions, createChatHandlers } from "../src/index.js";

const SECRET_PATH = "/srv/secret/chats.db";

async function openStore(): Promise<SessionStore> {
  return memoryPlace().open();
}

function handlersWith(store: SessionStore, options: Partial<ChatHandlersOptions> = {}): ChatHandlers {
  return createChatHandlers({
    store,
    authorize: (request) => request.headers.get("x-user"),
    async *respond({ messages }) {
      yield { type: "text-start", id: "1" };
      yield { type: "text-delta", id: "1", delta: `That was message ${messages.length}.` };
      yield { type: "text-end", id: "1" };
    },
    ...options,
  });
}

function post(chatId: string, { user = "", type = "application/json", text = "Hello." } = {}): Request {
  const message = { id: "m1", role: "user", parts: [{ type: "text", text }] };
  return new Request("http://localhost/api/chat", {
    method: "POST",
    headers: { "content-type": type, ...(user === "" ? {} : { "x-user": user }) },
    body: JSON.stringify({ id: chatId, messages: [message] }),
  });
}

const get = (chatId: string, user: string): Request =>
  new Request(`http://localhost/api/chat/${encodeURIComponent(chatId)}`, { headers: { "x-user": user } });

/** Every route, for a chat and a user. */
const routes = (handlers: ChatHandlers) =>
  [
    ["post", (chatId: string, user: string) => handlers.post(post(chatId, { user }))],
    ["resume", (chatId: string, user: string) => handlers.resume(get(chatId, user), chatId)],
    ["stop", (chatId: string, user: string) => handlers.stop(get(chatId, user), chatId)],
    ["load", (chatId: string, user: string) => handlers.load(get(chatId, user), chatId)],
  ] as const;

/** A store that fails a test when it is used. */
function untouchable(): SessionStore {
  const touched = (): never => {
    throw new Error("the store was used");
  };
  return new Proxy(Object.create(null), { get: () => touched });
}

test("handlers without `authorize` are refused, by the compiler and when they are made", async () => {
  const store = await openStore();
  const respond = () => new ReadableStream();
  // @ts-expect-error -- `authorize` is required
  expect(() => createChatHandlers({ store, respond })).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", path: "options.authorize" }),
  );
  // @ts-expect-error -- a word that is not "public"
  expect(() => createChatHandlers({ store, respond, authorize: "private" })).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT" }),
  );
});

test("authorize decides on every route before the store is used", async () => {
  const refusals = [undefined, null, false, ""] as const;
  for (const refusal of refusals)
    for (const [name, route] of routes(handlersWith(untouchable(), { authorize: () => refusal })))
      expect([name, (await route("c", "ann")).status]).toEqual([name, 403]);
  const signIn = (): never => {
    throw new Response("Sign in first.", { status: 401 });
  };
  for (const [name, route] of routes(handlersWith(untouchable(), { authorize: signIn })))
    expect([name, (await route("c", "ann")).status]).toEqual([name, 401]);
});

test("a user cannot reach the chat of another whose name begins alike", async () => {
  const store = await openStore();
  const handlers = handlersWith(store);
  await (await handlers.post(post("1", { user: "ann:x", text: "a secret" }))).text();
  expect(await store.sessionExists(sessionKey("ann:x", "1"))).toBe(true);
  const theirs = await (await handlers.load(get("x:1", "ann"), "x:1")).json();
  expect(theirs).toMatchObject({ messages: [] });
  const own = await (await handlers.load(get("1", "ann:x"), "1")).json();
  expect(own).toMatchObject({ messages: [{ role: "user" }, { role: "assistant" }] });
});

test("a public chat is the session of its id", async () => {
  const store = await openStore();
  await (await handlersWith(store, { authorize: "public" }).post(post("c"))).text();
  expect(await store.sessionExists("c")).toBe(true);
});

test.each([
  ["STORE_UNAVAILABLE", 503],
  ["SESSION_CORRUPTED", 500],
  ["STORE_CLOSED", 500],
] as const)(
  "a response to %s says nothing of the server, and `onError` gets the whole error",
  async (code, status) => {
    const failing = new Proxy(await openStore(), {
      get: () => () =>
        Promise.reject(SessionError.of(code, `cannot read ${SECRET_PATH}`, { location: SECRET_PATH })),
    });
    const clock = new ImmediateClock();
    const errors: unknown[] = [];
    const onError = (error: unknown): string => {
      errors.push(error);
      return "Something is wrong.";
    };
    for (const [name, route] of routes(handlersWith(failing, { onError, clock }))) {
      const response = await route("c", "ann");
      expect([name, response.status]).toEqual([name, status]);
      expect(response.headers.get("x-session-error")).toBe(code);
      expect(await response.text()).toBe("Something is wrong.");
    }
    expect(errors).toHaveLength(4);
    expect(String(errors[0])).toContain(SECRET_PATH);
    const [, route] = routes(handlersWith(failing, { clock }))[3];
    expect(await (await route("c", "ann")).text()).toBe("An error occurred.");
  },
);

test("an error that is not a SessionError is a 500 that says nothing of the server", async () => {
  const broken = new Proxy(await openStore(), {
    get: () => () => Promise.reject(new Error(`EIO: ${SECRET_PATH}`)),
  });
  for (const [, route] of routes(handlersWith(broken))) {
    const response = await route("c", "ann");
    expect([response.status, await response.text()]).toEqual([500, "An error occurred."]);
  }
});

test("an argument that the store refuses gives a response without the store's message", async () => {
  const handlers = handlersWith(await openStore());
  const response = await handlers.post(post("c".repeat(600), { user: "ann" }));
  expect([response.status, await response.text()]).toEqual([413, "The request is too large."]);
});

test("only JSON is read, because a page of another site cannot send JSON with a user's cookies", async () => {
  const handlers = handlersWith(untouchable(), { authorize: "public" });
  for (const type of [
    "text/plain",
    "text/plain; a=application/json",
    "application/x-www-form-urlencoded",
    "",
  ])
    expect((await handlers.post(post("c", { type }))).status).toBe(415);
  const store = await openStore();
  const accepted = await handlersWith(store, { authorize: "public" }).post(
    post("c", { type: "Application/JSON; charset=utf-8" }),
  );
  expect(accepted.status).toBe(200);
  await accepted.text();
});

test("a body that is larger than `maxBodyBytes` is a 413, and the rest of it is not read", async () => {
  const handlers = handlersWith(untouchable(), { authorize: "public", maxBodyBytes: 1000 });
  expect((await handlers.post(post("c", { text: "x".repeat(1000) }))).status).toBe(413);
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 100;
      controller.enqueue(new Uint8Array(100));
    },
  });
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: endless,
    duplex: "half",
  };
  expect((await handlers.post(new Request("http://localhost/api/chat", init))).status).toBe(413);
  expect(sent).toBeLessThan(5000);
});

test("deeply nested JSON is refused as an invalid request", async () => {
  const store = await openStore();
  const handlers = handlersWith(store, { authorize: "public" });
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    for (const body of [
      deep,
      `{"id":"c","messages":[{"id":"m","role":"user","parts":[{"type":"x","d":${deep}}]}]}`,
    ]) {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body };
      expect((await handlers.post(new Request("http://localhost/api/chat", init))).status).toBe(400);
    }
  }
  expect((await store.getSession("c"))?.turn).toBeUndefined();
});
