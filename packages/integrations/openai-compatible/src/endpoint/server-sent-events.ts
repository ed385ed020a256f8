/** The data of server-sent events, wherever the bytes are cut. An unfinished event at the end is dropped. */
export async function* serverSentEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const lines = new Lines();
  const events = new Events();
  for await (const chunk of bytes) {
    for (const line of lines.in(decoder.decode(chunk, { stream: true }))) yield* events.after(line);
  }
}

/** Splits text into lines. Only the new text is searched, so that the cost of a long line in many pieces stays linear. */
class Lines {
  #begun = "";
  #endedByReturn = false;

  *in(text: string): Generator<string> {
    if (text === "") return;
    // A CR ends a line. The LF that belongs to it may come with the next chunk.
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

/** Assembles events from lines. */
class Events {
  #data: string[] = [];

  *after(line: string): Generator<string> {
    if (line !== "") return this.#take(line);
    if (this.#data.length > 0) yield this.#data.join("\n");
    this.#data = [];
  }

  /** Other fields (`event`, `id`, `retry`) and comments are ignored. */
  #take(line: string): void {
    const [, field = line, value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
  }
}
