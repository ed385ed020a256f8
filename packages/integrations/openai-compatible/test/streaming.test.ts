import { setTimeout } from "node:timers/promises";
import { Gate } from "test-tools";
import { describe, expect, test } from "vitest";
import { openaiCompatibleRunner } from "../src/index.js";
import { answer, endpointError, listen, turnOf } from "./answering.js";
import { says, stops, thinks, uses, withDelta } from "./chunks.js";
import { type Reply, ScriptedServer, streamed } from "./scripted-server.js";
import { TestTimers } from "./test-timers.js";

/** Sends a stream one byte at a time: an HTTP chunk each. */
const byteByByte =
  (text: string): Reply =>
  async (exchange) => {
    for (const byte of new TextEncoder().encode(text)) await exchange.write(new Uint8Array([byte]));
    exchange.end();
  };

describe("a streamed answer", () => {
  test("the text of an answer is yielded as it comes", async () => {
    await using server = await ScriptedServer.start(streamed(says("Hel"), says("lo"), says("."), stops()));
    const { events, error } = await answer({ baseURL: server.baseURL });
    expect(error).toBeUndefined();
    expect(events).toEqual(["Hel", "lo", "."].map((text) => ({ type: "text-delta", text })));
    expect(server.bodies).toEqual([
      {
        model: "test-model",
        messages: [{ role: "user", content: "Hello." }],
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
    expect(server.received[0]).toMatchObject({ method: "POST", url: "/v1/chat/completions" });
  });

  test("text is yielded before the answer is complete", async () => {
    const heard = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("first"));
      await heard.passed;
      await streamed(says("second"), stops())(exchange);
    });
    const texts: unknown[] = [];
    for await (const event of openaiCompatibleRunner({ baseURL: server.baseURL })(turnOf())) {
      texts.push(event);
      heard.open();
    }
    expect(texts).toHaveLength(2);
  });

  test("an answer is read a byte at a time, with CRLF, comments, multi-line data and Unicode", async () => {
    const stream = [
      ": OPENROUTER PROCESSING\r\n\r\n",
      `data: ${JSON.stringify(says("Grüße, "))}\r\n\r\n`,
      'data: {"choices":\r\ndata: [{"delta":{"content":"東京 "}}]}\r\n\r\n',
      `event: chunk\rdata:${JSON.stringify(says("👩‍👩‍👧‍👦"))}\r\r`,
      `data: ${JSON.stringify(stops())}\n\ndata: [DONE]\n\n`,
    ];
    await using server = await ScriptedServer.start(byteByByte(stream.join("")));
    const { text, error } = await answer({ baseURL: server.baseURL });
    expect(error).toBeUndefined();
    expect(text).toBe("Grüße, 東京 👩‍👩‍👧‍👦");
  });

  test("reasoning is yielded once, under either field name", async () => {
    const deltas = [
      thinks("Hm. "),
      withDelta({ reasoning: "So." }),
      withDelta({ reasoning: "!", reasoning_content: "!" }),
    ];
    await using server = await ScriptedServer.start(streamed(...deltas, says("Yes."), stops()));
    const { events } = await answer({ baseURL: server.baseURL });
    expect(events).toEqual([
      { type: "reasoning-delta", text: "Hm. " },
      { type: "reasoning-delta", text: "So." },
      { type: "reasoning-delta", text: "!" },
      { type: "text-delta", text: "Yes." },
    ]);
  });

  test("content in parts is yielded as text", async () => {
    const thinking = [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }];
    const said = [{ type: "text", text: "Yes." }];
    await using server = await ScriptedServer.start(
      streamed(withDelta({ content: thinking }), withDelta({ content: said }), stops()),
    );
    const { events } = await answer({ baseURL: server.baseURL });
    expect(events).toEqual([
      { type: "reasoning-delta", text: "Hm." },
      { type: "text-delta", text: "Yes." },
    ]);
  });

  test("a refusal of the model is yielded as text", async () => {
    await using server = await ScriptedServer.start(
      streamed(withDelta({ refusal: "I cannot do that." }), stops()),
    );
    const { text, error } = await answer({ baseURL: server.baseURL });
    expect({ text, error }).toEqual({ text: "I cannot do that.", error: undefined });
  });

  test("only the first choice is yielded", async () => {
    const second = { choices: [{ index: 1, delta: { content: "other" } }] };
    await using server = await ScriptedServer.start(streamed(says("one"), second, stops()));
    expect((await answer({ baseURL: server.baseURL })).text).toBe("one");
  });

  test("an answer ends with [DONE], even without a finish reason", async () => {
    await using server = await ScriptedServer.start(streamed(says("Hello.")));
    expect(await answer({ baseURL: server.baseURL })).toMatchObject({ text: "Hello.", error: undefined });
  });

  test("an answer ends with its finish reason, even without [DONE]", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Hello."));
      await exchange.send(stops());
      exchange.end();
    });
    expect(await answer({ baseURL: server.baseURL })).toMatchObject({ text: "Hello.", error: undefined });
  });

  test("an answer with a finish reason is complete, even if the connection is cut afterwards", async () => {
    const heard = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      const usage = { completion_tokens: 2 };
      await exchange.send({ choices: [{ delta: { content: "Hello." }, finish_reason: "stop" }], usage });
      await heard.passed;
      exchange.cut();
    });
    const { events, error } = await listen(
      openaiCompatibleRunner({ baseURL: server.baseURL })(turnOf()),
      () => heard.open(),
    );
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: "text-delta", text: "Hello." },
      { type: "usage", usage: { outputTokens: 2 } },
    ]);
  });

  test("an answer ends with [DONE], even if the endpoint keeps the body open", async () => {
    const closed = new Gate();
    await using server = await ScriptedServer.start(async (exchange) => {
      for (const chunk of [says("Hello."), stops()]) await exchange.send(chunk);
      await exchange.write("data: [DONE]\n\n");
      await exchange.closed.then(() => closed.open());
    });
    expect(await answer({ baseURL: server.baseURL })).toMatchObject({ text: "Hello.", error: undefined });
    await closed.passed;
  });
});

describe("usage", () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 7 },
  };
  const counted = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64, reasoningTokens: 7 };

  test("usage is yielded once for each request to the model", async () => {
    await using server = await ScriptedServer.start(streamed(says("Hi."), stops(), uses(usage)));
    const { events } = await answer({ baseURL: server.baseURL });
    expect(events.at(-1)).toEqual({ type: "usage", usage: counted });
  });

  test("usage that grows with each chunk counts once", async () => {
    const growing = [1, 2, 3].map((completion_tokens) => ({ ...says("x"), usage: { completion_tokens } }));
    await using server = await ScriptedServer.start(streamed(...growing, stops()));
    const { events } = await answer({ baseURL: server.baseURL });
    expect(events.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", usage: { outputTokens: 3 } },
    ]);
  });

  test("usage has only integers, and only what the endpoint reports", async () => {
    const odd = { prompt_tokens: 1.5, completion_tokens: -1, prompt_cache_hit_tokens: 3 };
    await using server = await ScriptedServer.start(streamed(stops(), uses(odd)));
    const { events } = await answer({ baseURL: server.baseURL });
    expect(events).toEqual([{ type: "usage", usage: { cachedInputTokens: 3 } }]);
  });

  test("usage is not requested with includeUsage: false", async () => {
    await using server = await ScriptedServer.start(streamed(says("Hi."), stops()));
    await answer({ baseURL: server.baseURL, includeUsage: false });
    expect(server.bodies[0]).not.toHaveProperty("stream_options");
  });
});

describe("incomplete answers", () => {
  test.each([
    ["length", "OUTPUT_LIMIT", /limit of output tokens/],
    ["content_filter", "CONTENT_FILTER", /content filter/],
    ["error", "SERVER_ERROR", /an error/],
  ])("finish_reason %s is %s, after text and usage were yielded", async (reason, code, words) => {
    const half = [says("Once upon"), stops(reason), uses({ completion_tokens: 2 })];
    await using server = await ScriptedServer.start(streamed(...half));
    const told = await answer({ baseURL: server.baseURL });
    expect(told.events).toEqual([
      { type: "text-delta", text: "Once upon" },
      { type: "usage", usage: { outputTokens: 2 } },
    ]);
    const retryable = code === "SERVER_ERROR";
    expect(endpointError(told)).toMatchObject({ code, retryable, message: expect.stringMatching(words) });
  });

  test("an answer without [DONE] and without a finish reason is CUT_OFF, which is retryable", async () => {
    await using server = await ScriptedServer.start(async (exchange) => {
      await exchange.send(says("Once upon"));
      exchange.end();
    });
    const told = await answer({ baseURL: server.baseURL });
    expect(told.text).toBe("Once upon");
    expect(endpointError(told)).toMatchObject({ code: "CUT_OFF", retryable: true });
  });

  test("an incomplete answer yields its usage even without any text", async () => {
    await using server = await ScriptedServer.start(
      streamed(stops("length"), uses({ completion_tokens: 9 })),
    );
    const told = await answer({ baseURL: server.baseURL });
    expect(told.events).toEqual([{ type: "usage", usage: { outputTokens: 9 } }]);
    expect(endpointError(told).code).toBe("OUTPUT_LIMIT");
  });
});

describe("a request", () => {
  test("a request names the model of the config, else of the options, and is not sent without either", async () => {
    await using server = await ScriptedServer.start(streamed(stops()), streamed(stops()));
    await answer({ baseURL: server.baseURL, model: "from-options" });
    await answer({ baseURL: server.baseURL, model: "from-options" }, { config: {} });
    expect(server.bodies.map(({ model }) => model)).toEqual(["test-model", "from-options"]);
    const { error } = await answer({ baseURL: server.baseURL }, { config: {} });
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path: "config.model" });
    expect(server.received).toHaveLength(2);
  });

  test("a request has the fields of `body`, which cannot override those of the runner", async () => {
    await using server = await ScriptedServer.start(streamed(stops()), streamed(stops()));
    const { baseURL } = server;
    await answer({ baseURL, body: { temperature: 0, stream: false, model: "no" } });
    await answer(
      { baseURL, body: ({ config }) => ({ seed: config["seed"] ?? 0 }) },
      { config: { model: "test-model", seed: 7 } },
    );
    expect(server.bodies).toMatchObject([{ temperature: 0, stream: true, model: "test-model" }, { seed: 7 }]);
  });

  test("a request has the headers of the options and the query of baseURL", async () => {
    await using server = await ScriptedServer.start(streamed(stops()));
    const headers = { "api-key": "secret-of-azure", "X-Title": "Tests" };
    await answer({ baseURL: `${server.baseURL}/?api-version=1`, apiKey: "sk-1234567890", headers });
    expect(server.received[0]).toMatchObject({
      url: "/v1/chat/completions?api-version=1",
      headers: { authorization: "Bearer sk-1234567890", "api-key": "secret-of-azure", "x-title": "Tests" },
    });
  });

  test("baseURL may include /chat/completions", async () => {
    await using server = await ScriptedServer.start(streamed(stops()));
    await answer({ baseURL: `${server.baseURL}/chat/completions` });
    expect(server.received[0]?.url).toBe("/v1/chat/completions");
  });

  test("connections are reused, because every answer is read to its end", async () => {
    await using server = await ScriptedServer.start();
    for (let turn = 0; turn < 10; turn++) {
      server.next(async (exchange) => {
        for (const chunk of [says("Hi."), stops()]) await exchange.send(chunk);
        await exchange.write("data: [DONE]\n\n");
        // The end of the body comes in another packet.
        await setTimeout(5);
        exchange.end();
      });
      await answer({ baseURL: server.baseURL, clock: new TestTimers() });
    }
    expect(new Set(server.received.map(({ connection }) => connection)).size).toBeLessThan(10);
  });
});
