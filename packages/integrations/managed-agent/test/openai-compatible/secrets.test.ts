import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type OpenAICompatibleOptions, openaiCompatibleRunner } from "../../src/openai-compatible/index.js";
import { answer, endpointError } from "./answering.js";
import { says } from "./chunks.js";
import { type Reply, refused, ScriptedServer } from "./scripted-server.js";

const KEY = "sk-live-0123456789abcdef";
const HEADER = "azure-0123456789";
const QUERY = "query+0123456789/=";

/** Echoes everything that it was sent, as careless servers do. */
const echo =
  (status: number): Reply =>
  async (exchange) => {
    const { headers, url } = exchange.received;
    const message = `You sent ${headers.authorization}, ${headers["api-key"]} to ${url}.`;
    await refused(status, { error: { message, code: KEY } }, { "x-request-id": KEY })(exchange);
  };

/** Everything that anybody may print of an error. */
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

describe("keys", () => {
  test.each([400, 401, 404, 429, 500])(
    "are not in an error of status %i, whatever the server says",
    async (status) => {
      await using server = await ScriptedServer.start(echo(status));
      const error = await failure(server.baseURL);
      expect(error.message).toContain("You sent Bearer [redacted], [redacted] to");
      expectNoSecrets(error);
    },
  );

  test("are not in an error in the middle of an answer", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.send({ error: { message: `Your key ${KEY} is used up.` } });
      exchange.end();
    });
    expectNoSecrets(await failure(server.baseURL));
  });

  test("are not in data that is no chunk", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.write(`data: ${KEY} ${"x".repeat(480)} ${KEY}\n\n`);
      exchange.end();
    });
    expectNoSecrets(await failure(server.baseURL));
  });

  test("are not in what fetch throws", async () => {
    const fetch = async (): Promise<Response> => {
      const cause = Object.assign(new Error(`proxy refused ${KEY}`), { config: { headers: { key: KEY } } });
      throw new TypeError("fetch failed", { cause });
    };
    const error = await failure("http://127.0.0.1:1/v1", { fetch });
    expect(error.message).toContain("fetch failed: proxy refused [redacted]");
    expectNoSecrets(error);
  });

  test("that are half cut off are not there either", async () => {
    // The key would stand at the end of the excerpt, cut in two.
    await using server = await ScriptedServer.start(refused(500, `${"x".repeat(490)}${KEY}`));
    expect(printed(await failure(server.baseURL))).not.toContain(KEY.slice(0, 8));
  });

  test("that are placeholders do not garble messages", async () => {
    await using server = await ScriptedServer.start(refused(500, "ollama is loading"));
    const error = await failure(server.baseURL, { apiKey: "ollama" });
    expect(error.message).toContain("ollama is loading");
  });
});

describe("options that are wrong", () => {
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
  ])("%s is INVALID_ARGUMENT at once, without a secret (%#)", (path, options) => {
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
