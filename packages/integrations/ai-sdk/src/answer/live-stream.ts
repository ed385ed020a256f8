import type { UIMessageChunk } from "ai";

/** The answer as it comes, for the page that asked. If the page leaves, the answer goes on without it. */
export class LiveStream {
  readonly stream: ReadableStream<UIMessageChunk>;
  #controller: ReadableStreamDefaultController<UIMessageChunk> | undefined;

  constructor() {
    this.stream = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#controller = undefined;
      },
    });
  }

  push(chunk: UIMessageChunk): void {
    this.#controller?.enqueue(chunk);
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }
}
