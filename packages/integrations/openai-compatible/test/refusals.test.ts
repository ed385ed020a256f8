import { createServer } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EndpointError } from "../src/index.js";
import { answer, endpointError } from "./answering.js";
import { says, stops } from "./chunks.js";
import { refused, ScriptedServer, streamed } from "./scripted-server.js";

const told = (message: string, code: string | number | null = null): object => ({
  error: { message, type: "some_error", code },
});

describe("error responses", () => {
  test.each([
    [
      401,
      told("Incorrect API key.", "invalid_api_key"),
      "UNAUTHORIZED",
      false,
      /401: Incorrect API key\. Check `apiKey`/,
    ],
    [403, told("Not in your country."), "UNAUTHORIZED", false, /403: Not in your country\..*"test-model"/],
    [404, told("No such model.", "model_not_found"), "NOT_FOUND", false, /model "test-model", and `baseURL`/],
    [405, "No POST here.", "NOT_FOUND", false, /405: No POST here\. Check the model/],
    [408, "Too slow.", "SERVER_ERROR", true, /408: Too slow\. Try again/],
    [409, told("Still loading."), "SERVER_ERROR", true, /409: Still loading\. Try again/],
    [425, "Too early.", "SERVER_ERROR", true, /425: Too early\. Try again/],
    [429, told("Slow down."), "RATE_LIMITED", true, /429: Slow down\. Try again later/],
    [429, told("Pay.", "insufficient_quota"), "QUOTA_EXCEEDED", false, /no credit left/],
    [402, told("Pay."), "QUOTA_EXCEEDED", false, /no credit left/],
    [
      400,
      told("Too long.", "context_length_exceeded"),
      "REQUEST_REFUSED",
      false,
      /lower the agent's `context.maxTokens`/,
    ],
    [422, told("stream_options: extra_forbidden"), "REQUEST_REFUSED", false, /set `includeUsage: false`/],
    [
      400,
      told("tools[0] is wrong"),
      "REQUEST_REFUSED",
      false,
      /400: tools\[0\] is wrong\. Change what it names/,
    ],
    [
      500,
      "<html><body>\n  Bad day\n</body></html>",
      "SERVER_ERROR",
      true,
      /500: <html><body> Bad day <\/body><\/html>\. Try/,
    ],
    [503, { error: "overloaded" }, "SERVER_ERROR", true, /503: overloaded\. Try again later\./],
    [529, { object: "error", message: "Full." }, "SERVER_ERROR", true, /529: Full\. Try/],
    [418, "", "REQUEST_REFUSED", false, /answered 418\. /],
  ])("an error response %i %j is %s", async (status, body, code, retryable, words) => {
    await using server = await ScriptedServer.start(refused(status, body, { "x-request-id": "req-7" }));
    const result = await answer({ baseURL: server.baseURL, apiKey: "sk-1234567890", retries: 0 });
    const error = endpointError(result);
    expect(error).toMatchObject({ code, status, retryable, requestId: "req-7" });
    expect(error.message).toMatch(words);
    expect(error.message).toContain(`${server.baseURL}/chat/completions answered`);
    expect(result.events).toEqual([]);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code, status, message: error.message });
  });

  test("an error has the endpoint's own code and the beginning of the body", async () => {
    const body = { error: { message: "x".repeat(3000), type: "odd_error", code: "odd" } };
    await using server = await ScriptedServer.start(refused(400, body));
    const error = endpointError(await answer({ baseURL: server.baseURL }));
    expect(error).toMatchObject({
      providerCode: "odd",
      bodyExcerpt: expect.stringMatching(/^\{"error":\{"message":"xx/),
    });
    expect(error.bodyExcerpt?.length).toBe(501);
    expect(error.message.length).toBeLessThan(1000);
  });

  test("a 401 without a key says that there is no key", async () => {
    await using server = await ScriptedServer.start(refused(401, told("Who are you?")));
    const error = endpointError(await answer({ baseURL: server.baseURL }));
    expect(error.message).toContain("No `apiKey` was given");
  });

  test("a redirect is an error, because following it would send the key to another server", async () => {
    await using elsewhere = await ScriptedServer.start(streamed(says("mine"), stops()));
    await using server = await ScriptedServer.start(
      refused(307, "Moved.", { location: `${elsewhere.baseURL}/chat/completions` }),
    );
    const error = endpointError(await answer({ baseURL: server.baseURL, apiKey: "sk-1234567890" }));
    expect(error).toMatchObject({ code: "NOT_FOUND", status: 307 });
    expect(elsewhere.received).toEqual([]);
  });

  test("an error body with status 200 is an error", async () => {
    await using server = await ScriptedServer.start(refused(200, told("No provider.", 503)));
    const error = endpointError(await answer({ baseURL: server.baseURL, retries: 0 }));
    expect(error).toMatchObject({ code: "SERVER_ERROR", status: 503 });
  });

  test.each([
    [
      "without streaming",
      { choices: [{ message: { role: "assistant", content: "Hi." } }] },
      "application/json",
    ],
    ["with a web page", "<html>Log in</html>", "text/html"],
  ])("a response %s is MALFORMED_ANSWER", async (_, body, type) => {
    await using server = await ScriptedServer.start(refused(200, body));
    const error = endpointError(await answer({ baseURL: server.baseURL }));
    expect(error).toMatchObject({ code: "MALFORMED_ANSWER", retryable: false });
    expect(error.message).toContain(`answered with ${type} and not with a stream`);
  });

  test("an error response whose body is cut off keeps its status and code", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      exchange.head(500, { "content-type": "text/plain" });
      await exchange.write("It is");
      exchange.cut();
    });
    const error = endpointError(await answer({ baseURL: server.baseURL, retries: 0 }));
    expect(error).toMatchObject({ code: "SERVER_ERROR", status: 500 });
    expect(error.bodyExcerpt).toContain("[cut off: ");
  });

  test("an endpoint that refuses connections is UNREACHABLE", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const address = closed.address();
    await new Promise((resolve) => closed.close(resolve));
    const port = typeof address === "object" ? address?.port : undefined;
    const result = await answer({ baseURL: `http://127.0.0.1:${port}/v1`, retries: 0 });
    const error = endpointError(result);
    expect(error).toMatchObject({ code: "UNREACHABLE", retryable: true });
    expect(error.message).toMatch(/cannot be reached \(fetch failed: .*ECONNREFUSED.*\)\. Check `baseURL`/);
    expect(error.cause).toMatchObject({ message: "fetch failed", cause: { code: "ECONNREFUSED" } });
  });
});

test("an unreachable host with several addresses is UNREACHABLE with the code that all of them have", async () => {
  const each = [new Error("connect ::1"), new Error("connect 127.0.0.1")];
  const cause = Object.assign(new AggregateError(each, "both"), { message: "", code: "ECONNREFUSED" });
  const fetch = async (): Promise<Response> => {
    throw new TypeError("fetch failed", { cause });
  };
  const error = endpointError(await answer({ baseURL: "http://localhost:1/v1", fetch, retries: 0 }));
  expect(error.code).toBe("UNREACHABLE");
  expect(error.message).toContain("cannot be reached (fetch failed: ECONNREFUSED)");
});

test("an error of fetch is UNREACHABLE before the answer and CUT_OFF in the middle of it", async () => {
  const gone = new TypeError("no patience");
  const before = async (): Promise<Response> => {
    throw gone;
  };
  const body = new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(says("Once "))}\n\n`)),
    pull: (controller) => controller.error(gone),
  });
  const during = async (): Promise<Response> => new Response(body);
  const options = { baseURL: "http://127.0.0.1:1/v1", retries: 0 };
  expect(endpointError(await answer({ ...options, fetch: before })).code).toBe("UNREACHABLE");
  const half = await answer({ ...options, fetch: during });
  expect([half.text, endpointError(half).code]).toEqual(["Once ", "CUT_OFF"]);
});

describe("an error in the middle of an answer", () => {
  test.each([
    [told("Overloaded."), "SERVER_ERROR", undefined],
    [told("Too many.", 429), "RATE_LIMITED", 429],
    [told("Too many.", "rate_limit_exceeded"), "RATE_LIMITED", undefined],
    [{ error: "plain words" }, "SERVER_ERROR", undefined],
    [{ object: "error", message: "odd", code: 400 }, "REQUEST_REFUSED", 400],
  ])("an error event %j in the middle of an answer is %s", async (chunk, code, status) => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.send(chunk);
      exchange.end();
    });
    const result = await answer({ baseURL: server.baseURL });
    expect(result.text).toBe("Once ");
    expect(endpointError(result)).toMatchObject({ code });
    expect(endpointError(result).status).toBe(status);
    expect(server.received).toHaveLength(1);
  });

  test.each(["{half a ch", "[]", "null", "7"])(
    "event data that is no chunk (%s) is MALFORMED_ANSWER",
    async (data) => {
      await using server = await ScriptedServer.start(async (exchange) => {
        await exchange.send(says("Once "));
        await exchange.write(`data: ${data}\n\n`);
        await exchange.done();
      });
      const result = await answer({ baseURL: server.baseURL });
      expect(result.text).toBe("Once ");
      expect(endpointError(result)).toMatchObject({ code: "MALFORMED_ANSWER", bodyExcerpt: data });
    },
  );
});

test("EndpointError.is matches any of its codes, and every code if none is passed", async () => {
  await using server = await ScriptedServer.start(refused(401, told("Who are you?")));
  const { error } = await answer({ baseURL: server.baseURL });
  expect(EndpointError.is(error)).toBe(true);
  expect(EndpointError.is(error, "UNAUTHORIZED")).toBe(true);
  expect(EndpointError.is(error, "NOT_FOUND", "UNAUTHORIZED")).toBe(true);
  expect(EndpointError.is(error, "NOT_FOUND", "TIMEOUT")).toBe(false);
  expect(EndpointError.is(new Error("UNAUTHORIZED"))).toBe(false);
});

test("the runner prints nothing, whether an endpoint answers or fails", async () => {
  const logs = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
  onTestFinished(() => void vi.restoreAllMocks());
  await using server = await ScriptedServer.start(streamed(says("Hello."), stops()), refused(400, "No."));
  await answer({ baseURL: server.baseURL });
  await answer({ baseURL: server.baseURL, retries: 0 });
  expect(logs.map((log) => log.mock.calls)).toEqual(logs.map(() => []));
});
