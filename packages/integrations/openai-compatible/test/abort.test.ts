import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiCompatibleRunner, type Tool } from "../src/index.js";
import { answer, listen, turnOf } from "./answering.js";
import { calls, says, stops } from "./chunks.js";
import { ScriptedServer, streamed } from "./scripted-server.js";

const reason = new Error("the turn was interrupted");

describe("an abort", () => {
  test("an abort before the request sends nothing", async () => {
    await using server = await ScriptedServer.start();
    expect((await answer({ baseURL: server.baseURL }, { signal: AbortSignal.abort(reason) })).error).toBe(
      reason,
    );
    expect(server.received).toEqual([]);
  });

  test("an abort while the endpoint has not answered closes the connection", async () => {
    const arrived = new Gate();
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      arrived.open();
      await exchange.closed.then(() => closed.open());
    });
    const abort = new AbortController();
    const result = answer({ baseURL: server.baseURL }, { signal: abort.signal });
    await arrived.passed;
    abort.abort(reason);
    expect((await result).error).toBe(reason);
    await closed.passed;
  });

  test("an abort while an error response is read rejects with the abort reason", async () => {
    const reading = new Gate();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("It is")),
      // Called after the first chunk was read.
      pull: () => reading.open(),
    });
    const abort = new AbortController();
    const fetch = async (): Promise<Response> => new Response(body, { status: 500 });
    const result = answer({ baseURL: "http://127.0.0.1:1/v1", fetch, retries: 0 }, { signal: abort.signal });
    await reading.passed;
    abort.abort(reason);
    expect((await result).error).toBe(reason);
  });

  test("an abort in the middle of an answer closes the connection, and earlier events stay", async () => {
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.closed.then(() => closed.open());
    });
    const abort = new AbortController();
    const turn = openaiCompatibleRunner({ baseURL: server.baseURL })(turnOf({ signal: abort.signal }));
    const events = turn[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { text: "Once " } });
    const next = events.next();
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    await closed.passed;
    expect(server.received).toHaveLength(1);
  });

  test("an abort aborts the signal of running tools, and does not wait for tools that ignore it", async () => {
    const running = new Gate();
    const heard: unknown[] = [];
    const tools: Record<string, Tool> = {
      polite: {
        execute: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              heard.push(signal.reason);
              reject(signal.reason);
            });
          }),
      },
      deaf: {
        execute: () => {
          running.open();
          return new Promise(() => undefined);
        },
      },
    };
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "polite"), calls(1, "call_b", "deaf"), stops("tool_calls")),
      streamed(says("never"), stops()),
    );
    const abort = new AbortController();
    const result = listen(
      openaiCompatibleRunner({ baseURL: server.baseURL, tools })(turnOf({ signal: abort.signal })),
    );
    await running.passed;
    abort.abort(reason);
    const { error, events } = await result;
    expect(error).toBe(reason);
    expect(heard).toEqual([reason]);
    expect(events.map(({ type }) => type)).toEqual(["tool-call", "tool-call"]);
    expect(server.received).toHaveLength(1);
  });

  test("an abort ends the turn even if fetch ignores its signal", async () => {
    const abort = new AbortController();
    const called = new Gate();
    const deaf = (): Promise<Response> => {
      called.open();
      return new Promise(() => undefined);
    };
    const result = answer({ baseURL: "http://127.0.0.1:1/v1", fetch: deaf }, { signal: abort.signal });
    await called.passed;
    abort.abort(reason);
    expect((await result).error).toBe(reason);
  });

  test("an abort ends the turn even if the body never ends", async () => {
    const abort = new AbortController();
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(says("Once "))}\n\n`));
      },
    });
    const turn = openaiCompatibleRunner({
      baseURL: "http://127.0.0.1:1/v1",
      fetch: async () => new Response(body),
    })(turnOf({ signal: abort.signal }));
    const events = turn[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { text: "Once " } });
    const next = events.next();
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
  });
});

describe("a consumer that stops reading", () => {
  test("a consumer that stops reading in the middle of an answer closes the connection", async () => {
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once "));
      await exchange.closed.then(() => closed.open());
    });
    for await (const event of openaiCompatibleRunner({ baseURL: server.baseURL })(turnOf())) {
      expect(event).toMatchObject({ text: "Once " });
      break;
    }
    await closed.passed;
  });

  test("a consumer that stops reading while tools run aborts them", async () => {
    const stopped = new Gate();
    const tools: Record<string, Tool> = {
      quick: { execute: () => "quick" },
      long: {
        execute: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              stopped.open();
              resolve("stopped");
            });
          }),
      },
    };
    await using server = await ScriptedServer.start(
      streamed(calls(0, "call_a", "long"), calls(1, "call_b", "quick"), stops("tool_calls")),
    );
    for await (const event of openaiCompatibleRunner({ baseURL: server.baseURL, tools })(turnOf())) {
      if (event.type === "tool-result") break;
    }
    await stopped.passed;
  });
});
