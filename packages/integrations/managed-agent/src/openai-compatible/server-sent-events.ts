/** The data of server-sent events, wherever the bytes are cut. What a cut leaves unfinished at the end is no event. */
export async function* serverSentEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const lines = new Lines();
  const events = new Events();
  for await (const chunk of bytes) {
    for (const line of lines.in(decoder.decode(chunk, { stream: true }))) yield* events.after(line);
  }
}

/** Cuts text into lines. Only what is new is looked at, so that a long line in many pieces costs what it is long. */
class Lines {
  #begun = "";
  #endedByReturn = false;

  *in(text: string): Generator<string> {
    if (text === "") return;
    // A CR has ended its line by itself. The LF that belongs to it may come with the next chunk.
    const fresh = this.#endedByReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedByReturn = text.endsWith("\r");
    const [first = "", ...others] = fresh.split(/\r\n|\r|\n/);
    this.#begun += first;
    for (const next of others) {
      yield this.#begun;
      this.#begun = next;
    }
  }
}

/** Puts events together from their lines. */
class Events {
  #data: string[] = [];

  *after(line: string): Generator<string> {
    if (line !== "") return this.#take(line);
    if (this.#data.length > 0) yield this.#data.join("\n");
    this.#data = [];
  }

  /** Other fields (`event`, `id`, `retry`) and comments say nothing that is needed here. */
  #take(line: string): void {
    const [, field = line, value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
  }
}
