import { DefaultChatTransport } from "ai";
import { Gate, storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { type ChatHandlers, createChatHandlers } from "../src/index.js";
import { Page } from "./page.js";

/** What @ai-sdk/react calls when a page whose connection broke can be seen again. */
interface Resuming {
  "~resumeStreamIfDisconnected"(): Promise<void>;
}

test.each(storeKinds)(
  "an answer whose connection broke is shown once when a chat of the page's own resumes it: $name",
  async ({ open }) => {
    const gate = new Gate();
    const handlers = createChatHandlers({
      store: await open(),
      authorize: "public",
      checkpoint: { everyMs: 5 },
      async *respond() {
        yield { type: "text-start", id: "1" };
        yield { type: "text-delta", id: "1", delta: "One, two, " };
        await gate.passed;
        yield { type: "text-delta", id: "1", delta: "three." };
        yield { type: "text-end", id: "1" };
      },
    });
    const connection = new BreakingConnection(handlers);
    const transport = new DefaultChatTransport({ fetch: connection.fetch });
    const page: Page & Partial<Resuming> = new Page(handlers, "c", [], { transport });
    const asked = page.sendMessage({ text: "Count." });
    await expect.poll(() => page.texts.at(-1)).toBe("One, two, ");
    connection.break();
    await asked;
    expect(page.status).toBe("error");
    const resumed = page["~resumeStreamIfDisconnected"]?.();
    await expect.poll(() => page.status).toBe("streaming");
    gate.open();
    await resumed;
    expect(page.texts).toEqual(["Count.", "One, two, three."]);
  },
);

/** Requests to the handlers. The response to a POST can be broken off. */
class BreakingConnection {
  readonly #handlers: ChatHandlers;
  #broken: () => void = () => undefined;

  constructor(handlers: ChatHandlers) {
    this.#handlers = handlers;
  }

  readonly fetch = async (input: unknown, options?: RequestInit): Promise<Response> => {
    const request = new Request(new URL(String(input), "http://localhost"), options);
    if (request.method !== "POST") return this.#handlers.resume(request);
    const response = await this.#handlers.post(request);
    const breaking = new TransformStream<Uint8Array, Uint8Array>({
      start: (stream) => {
        this.#broken = () => stream.error(new TypeError("network error"));
      },
    });
    return new Response(response.body?.pipeThrough(breaking), response);
  };

  break(): void {
    this.#broken();
  }
}
