import { SessionError } from "@sessions/protocol";
import { memoryPlace } from "test-tools";
import { expect, test, vi } from "vitest";
import { type BotWebhookOptions, createBotWebhook } from "../src/fetch/index.js";
import { type BotSessionOptions, createBotSession } from "../src/index.js";

async function webhook(
  options: Partial<BotSessionOptions> = {},
  more: Partial<BotWebhookOptions> = {},
): Promise<(body: unknown, method?: string) => Promise<Response>> {
  const store = await memoryPlace().open();
  const bot = createBotSession({ store, platform: "p", scope: "user", respond: () => "ok", ...options });
  const handle = createBotWebhook({
    bot,
    read: async (request) => JSON.parse(await request.text()),
    ...more,
  });
  return (body, method = "POST") =>
    handle(
      new Request("http://bot/", { method, ...(method === "GET" ? {} : { body: JSON.stringify(body) }) }),
    );
}

const update = { id: 1, user: 1, text: "hi" };

test("the response is 200 once the reply is stored, and a second delivery gets the same reply", async () => {
  const post = await webhook();
  const first = await post(update);
  expect([first.status, await first.json()]).toEqual([200, expect.objectContaining({ reply: "ok" })]);
  expect(await (await post(update)).json()).toMatchObject({ reply: "ok", duplicate: true });
});

test("a request that cannot be read is a 400, one without an update is a 204, and one that is not a POST is a 405", async () => {
  const errors: unknown[] = [];
  const post = await webhook({}, { onError: (error) => void errors.push(error) });
  const broken = await webhook({}, { read: () => Promise.reject(new Error("bad signature")) });
  const nothing = await webhook({}, { read: async () => undefined });
  const denied = await webhook({}, { read: async () => new Response(null, { status: 401 }) });
  const statuses = [
    await post({ ...update, id: "" }),
    await broken(update),
    await nothing(update),
    await denied(update),
    await post(update, "GET"),
  ].map(({ status }) => status);
  expect(statuses).toEqual([400, 400, 204, 401, 405]);
});

test("an error of `read` is a warning of the process where no `onError` is given", async () => {
  const broken = await webhook({}, { read: () => Promise.reject(new Error("no field from")) });
  const warnings: Error[] = [];
  const listener = (warning: Error): void => void warnings.push(warning);
  process.on("warning", listener);
  try {
    expect((await broken(update)).status).toBe(400);
    const expected = { code: "SESSIONS_BOT_WEBHOOK", message: expect.stringContaining("no field from") };
    await vi.waitFor(() => expect(warnings).toContainEqual(expect.objectContaining(expected)));
  } finally {
    process.off("warning", listener);
  }
});

test("an error is a 500 without its text, and a busy conversation is a 503", async () => {
  const failing = await webhook({
    respond() {
      throw new Error("secret");
    },
  });
  const response = await failing(update);
  expect([response.status, await response.text()]).toEqual([500, ""]);
  const busy = await webhook({
    respond() {
      throw SessionError.of("TURN_BUSY", "busy", {});
    },
  });
  const refused = await busy(update);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
});

test("a reply that could not be sent is requested again, and not computed again", async () => {
  let [runs, isDown] = [0, true];
  const sent: unknown[] = [];
  const post = await webhook(
    { respond: () => `run ${++runs}` },
    {
      async send({ reply }) {
        if (isDown) throw new Error("the platform is down");
        sent.push(reply);
      },
    },
  );
  expect((await post(update)).status).toBe(500);
  isDown = false;
  const response = await post(update);
  expect([response.status, await response.text()]).toEqual([200, ""]);
  expect(sent).toEqual(["run 1"]);
});

test("a body that is larger than `maxBodyBytes` is a 413, and is not read to its end", async () => {
  let reads = 0;
  const read = async (request: Request): Promise<undefined> => {
    reads++;
    await request.text();
  };
  const post = await webhook({}, { maxBodyBytes: 100, read });
  expect((await post({ text: "x".repeat(200) })).status).toBe(413);
  expect(reads).toBe(0);
  expect((await post({ text: "small" })).status).toBe(204);
  expect(reads).toBe(1);
});

test("a body may have 1 MiB by default", async () => {
  const sizes: number[] = [];
  const read = async (request: Request): Promise<undefined> => {
    sizes.push((await request.text()).length);
  };
  const post = await webhook({}, { read });
  const quoted = (bytes: number): string => "x".repeat(bytes - 2); // JSON puts quotes around it
  expect((await post(quoted(1_048_576))).status).toBe(204);
  expect((await post(quoted(1_048_577))).status).toBe(413);
  expect(sizes).toEqual([1_048_576]);
});

test("`read` gets the headers and every byte of the body, so that it can check a signature", async () => {
  const store = await memoryPlace().open();
  const bot = createBotSession({ store, platform: "p", scope: "user", respond: () => "ok" });
  const seen: unknown[] = [];
  const handle = createBotWebhook({
    bot,
    read: async (request) => {
      seen.push(request.headers.get("x-signature"), new Uint8Array(await request.arrayBuffer()));
      return undefined;
    },
  });
  const body = new Uint8Array([0, 255, 10, 13]);
  await handle(new Request("http://bot/", { method: "POST", headers: { "x-signature": "abc" }, body }));
  expect(seen).toEqual(["abc", body]);
});

test("only a bad request is a 400, and an INVALID_ARGUMENT of respond, identity or a hook is a 500", async () => {
  const invalid = SessionError.of("INVALID_ARGUMENT", "update.text is wrong, says a tool.", {
    path: "update.text",
  });
  const refusing = (): never => {
    throw invalid;
  };
  for (const options of [{ respond: refusing }, { identity: refusing }, { identity: () => "" }])
    expect((await (await webhook(options))(update)).status).toBe(500);
  const other = createBotSession({
    store: await memoryPlace().open(),
    platform: "o",
    scope: "user",
    respond: () => "ok",
  });
  const asksAnother = async (): Promise<string> =>
    String((await other.handle({ id: "", user: 1, text: "" })).reply);
  expect((await (await webhook({ respond: asksAnother }))(update)).status).toBe(500);
});

test.each([
  ["no id", { user: 1, text: "hi" }],
  ["no user", { id: 1, text: "hi" }],
  ["no text", { id: 1, user: 1 }],
  ["parts that are none", { id: 1, user: 1, content: [1] }],
  ["a key of the bot's own", { ...update, metadata: { "bot.settled": {} } }],
])("an update with %s is a 400", async (_, bad) => {
  const post = await webhook();
  expect((await post(bad)).status).toBe(400);
  expect((await post(update)).status).toBe(200);
});

test("other content under the id of an earlier update is a 400, because delivering it again would not help", async () => {
  const post = await webhook();
  expect((await post(update)).status).toBe(200);
  expect((await post({ ...update, text: "other" })).status).toBe(400);
});
