const HIDDEN = "***";

/** A text this short is no secret worth its name, and hiding it would spoil every other word. */
const SHORTEST = 3;

/** What must never be shown, and how to keep it from being shown. */
export class Secrets {
  readonly #texts: readonly string[];

  constructor(texts: Iterable<string> = []) {
    const forms = [...texts].flatMap((text) => [
      text,
      decoded(text),
      encodeURIComponent(text.toWellFormed()),
    ]);
    // The longest first: one may be a part of another.
    this.#texts = [...new Set(forms)]
      .filter((text) => text.length >= SHORTEST)
      .sort((a, b) => b.length - a.length);
  }

  /** The same with those of others. */
  and(others: Secrets): Secrets {
    return new Secrets([...this.#texts, ...others.#texts]);
  }

  /** A text without secrets. */
  hide(text: string): string {
    return this.#texts.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  }

  /** The same error without secrets: its message, its stack, its fields, and those of its causes. */
  hideIn<Thrown>(error: Thrown): Thrown {
    if (this.#texts.length > 0 && error instanceof Error) this.#hideInFields(error, new Set());
    return error;
  }

  // In place, because an error's class, code and identity are what callers go by.
  #hideInFields(error: Error, seen: Set<Error>): void {
    if (seen.has(error)) return;
    seen.add(error);
    for (const [name, field] of Object.entries(Object.getOwnPropertyDescriptors(error))) {
      if (!("value" in field)) continue;
      const value = this.#hidden(field.value, seen);
      if (value !== field.value) Object.defineProperty(error, name, { ...field, value });
    }
  }

  // What an error merely refers to is copied: it may be the very options that a driver still works with.
  #hidden(value: unknown, seen: Set<Error>): unknown {
    if (typeof value === "string") return this.hide(value);
    if (Array.isArray(value)) return value.map((item) => this.#hidden(item, seen));
    if (value instanceof Error) this.#hideInFields(value, seen);
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#hidden(item, seen)]));
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text; // not encoded: then this is its only form
  }
}
