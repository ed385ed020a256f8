import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type OpenAICompatibleOptions, openaiCompatibleRunner } from "../src/index.js";
import { answer, endpointError } from "./answering.js";
import { says } from "./chunks.js";
import { type Reply, refused, ScriptedServer } from "./scripted-server.js";

const KEY = "sk-live-0123456789abcdef";
const HEADER = "azure-0123456789";
const QUERY = "query+0123456789/=";

/** Echoes the whole request, as some servers do. */
const echo =
  (status: number): Reply =>
  async (exchange) => {
    const { headers, url } = exchange.received;
    const message = `You sent ${headers.authorization}, ${headers["api-key"]} to ${url}.`;
    await refused(status, { error: { message, code: KEY } }, { "x-request-id": KEY })(exchange);
  };

/** Everything that may be printed of an error. */
function printed(error: Error): string {
  return [
    error.message,
    error.stack,
    JSON.stringify(error),
    inspect(error, { depth: 20, showHidden: true }),
  ].join("\n");
}

function expectNoSecrets(error: Error): void {
  const text = printed(error);
  expect([KEY, HEADER, QUERY, encodeURIComponent(QUERY)].filter((secret) => text.includes(secret))).toEqual(
    [],
  );
}

async function failure(baseURL: string, options: Partial<OpenAICompatibleOptions> = {}): Promise<Error> {
  const address = `${baseURL}?key=${encodeURIComponent(QUERY)}`;
  return endpointError(
    await answer({ baseURL: address, apiKey: KEY, headers: { "api-key": HEADER }, retries: 0, ...options }),
  );
}

describe("secrets in errors", () => {
  test.each([400, 401, 404, 429, 500])(
    "keys are not in an error of status %i, whatever the server echoes",
    async (status) => {
      await using server = await ScriptedServer.start(echo(status));
      const error = await failure(server.baseURL);
      expect(error.message).toContain("You sent Bearer [redacted], [redacted] to");
      expectNoSecrets(error);
    },
  );

  test("keys are not in an error in the middle of an answer", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.send({ error: { message: `Your key ${KEY} is used up.` } });
      exchange.end();
    });
    expectNoSecrets(await failure(server.baseURL));
  });

  test("keys are not in the error for data that is no chunk", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.write(`data: ${KEY} ${"x".repeat(480)} ${KEY}\n\n`);
      exchange.end();
    });
    expectNoSecrets(await failure(server.baseURL));
  });

  test("keys are not in the error for what fetch throws", async () => {
    const fetch = async (): Promise<Response> => {
      const cause = Object.assign(new Error(`proxy refused ${KEY}`), { config: { headers: { key: KEY } } });
      throw new TypeError("fetch failed", { cause });
    };
    const error = await failure("http://127.0.0.1:1/v1", { fetch });
    expect(error.message).toContain("fetch failed: proxy refused [redacted]");
    expectNoSecrets(error);
  });

  test("a key that the excerpt cuts in two is not in the error", async () => {
    // The excerpt would end in the middle of the key.
    await using server = await ScriptedServer.start(refused(500, `${"x".repeat(490)}${KEY}`));
    expect(printed(await failure(server.baseURL))).not.toContain(KEY.slice(0, 8));
  });

  const SLASHED = 'sk/live+0123"4567&89<abc>';
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const encodings: Readonly<Record<string, (key: string) => string>> = {
    "as it is": (key) => key,
    "in JSON whose slashes are escaped": (key) => JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/"),
    "in JSON as escaped code units": (key) =>
      Array.from(key, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    "in JSON within JSON": (key) => JSON.stringify(JSON.stringify(key)),
    "percent-encoded": encodeURIComponent,
    "percent-encoded in lower case": (key) =>
      encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
    "percent-encoded twice": (key) => encodeURIComponent(encodeURIComponent(key)),
    "HTML-escaped": (key) =>
      key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    "as HTML's numbers": (key) => Array.from(key, (char) => `&#${char.charCodeAt(0)};`).join(""),
    "as HTML's hexadecimal numbers": (key) =>
      Array.from(key, (char) => `&#x${char.charCodeAt(0).toString(16)};`).join(""),
    "as base64": base64,
    "as base64 for URLs": (key) => Buffer.from(key).toString("base64url"),
    "as base64 of the header": (key) => base64(`Bearer ${key}`),
    "as base64 of more than the header": (key) => base64(`{"headers":{"authorization":"Bearer ${key}"}}`),
  };

  describe.each([KEY, SLASHED])("%s", (key) => {
    test.each(Object.entries(encodings))(
      "keys are not in an error of a server that echoes them %s",
      async (_, encode) => {
        await using server = await ScriptedServer.start(refused(400, `You sent ${encode(key)} here.`));
        const error = await failure(server.baseURL, { apiKey: key });
        expect(error.message).toContain("400");
        expect(printed(error)).not.toContain(encode(key));
        expect(printed(error)).not.toContain(encode(key).slice(4, -4));
      },
    );
  });

  test.each(["k", "abc", "s3cret!"])("short keys are not in an error: %s", async (apiKey) => {
    await using server = await ScriptedServer.start(refused(401, `<b>${apiKey}</b> is no key`));
    const error = await failure(server.baseURL, { apiKey });
    expect(error).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
    expect(error.message).not.toContain(`<b>${apiKey}</b>`);
    expect(JSON.stringify(error)).not.toContain(`<b>${apiKey}`);
    expect(error.message).toContain("[withheld");
  });

  test("short keys are not in an error as base64", async () => {
    await using server = await ScriptedServer.start(refused(401, `You sent ${base64("Bearer s3cret!")}.`));
    expect((await failure(server.baseURL, { apiKey: "s3cret!" })).message).toContain("[withheld");
  });

  test("a text without the short key is not withheld", async () => {
    await using server = await ScriptedServer.start(refused(500, "all is lost"));
    expect((await failure(server.baseURL, { apiKey: "qx9" })).message).toContain("all is lost");
  });

  test.each(["ollama", "none", "EMPTY", "lm-studio", "sk-no-key-required"])(
    "placeholder keys do not garble messages: %s",
    async (apiKey) => {
      await using server = await ScriptedServer.start(refused(500, `${apiKey} is loading`));
      const error = await failure(server.baseURL, { apiKey });
      expect(error.message).toContain(`${apiKey} is loading`);
    },
  );

  test("a key of 8 characters is removed from a text, and the rest stays", async () => {
    await using server = await ScriptedServer.start(refused(500, "The key s3cret!! is no key."));
    const error = await failure(server.baseURL, { apiKey: "s3cret!!" });
    expect(error.message).toContain("The key [redacted] is no key.");
  });

  test("a text with a key in an encoding that cannot be removed is withheld", async () => {
    const spelled = Array.from(KEY, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(
      "",
    );
    await using server = await ScriptedServer.start(refused(500, `You sent ${spelled} here.`));
    const error = await failure(server.baseURL);
    expect(error.message).toContain("500: [withheld");
    expect(printed(error)).not.toContain("You sent");
  });
});

describe("wrong options", () => {
  const baseURL = "https://example.com/v1";

  test.each<[string, OpenAICompatibleOptions]>([
    ["options.baseURL", { baseURL: "not a URL" }],
    ["options.baseURL", { baseURL: "ftp://example.com" }],
    ["options.baseURL", { baseURL: `https://user:${KEY}@example.com/v1` }],
    ["options.apiKey", { baseURL, apiKey: "" }],
    ["options.apiKey", { baseURL, apiKey: `${KEY}\n` }],
    ["options.apiKey", { baseURL, apiKey: `“${KEY}”` }],
    ["options.headers.x-key", { baseURL, headers: { "x-key": `${KEY}\n${KEY}` } }],
    ["options.headers.no name", { baseURL, headers: { "no name": KEY } }],
    ["options.model", { baseURL, model: "" }],
    ["options.maxSteps", { baseURL, maxSteps: 0 }],
    ["options.timeoutMs", { baseURL, timeoutMs: 1.5 }],
    ["options.retries", { baseURL, retries: -1 }],
    ["options.tools.two words", { baseURL, tools: { "two words": { execute: () => 1 } } }],
  ])("wrong %s is INVALID_ARGUMENT at once, without a secret (%#)", (path, options) => {
    const thrown = caught(() => openaiCompatibleRunner(options));
    expect(thrown).toMatchObject({ code: "INVALID_ARGUMENT", path });
    expectNoSecrets(thrown);
  });
});

function caught(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("partial keys and keys in headers", () => {
  const responding = (body: string, headers: Record<string, string>, status: number) => ({
    fetch: async () => new Response(body, { status, headers }),
  });

  test("the beginning of a key at the end of a text is not in the error", async () => {
    const half = KEY.slice(0, 16);
    for (const text of [`bad key ${half}`, `${" ".repeat(16_384)}${half}`, `"${half}\n`]) {
      const error = await failure("http://127.0.0.1:9/v1", responding(text, {}, 500));
      expect(printed(error)).not.toContain(half);
    }
  });

  test.each([KEY, "q7Z!x9k"])("a key in the content type is not in the error (%s)", async (apiKey) => {
    const headers = { "content-type": `application/json; echo=${apiKey}` };
    const error = await failure("http://127.0.0.1:9/v1", { apiKey, ...responding("{}", headers, 200) });
    expect(error.message).toContain("and not with a stream");
    expect(printed(error)).not.toContain(apiKey);
  });
});
