const HIDDEN = "***";

/** A shorter secret is not hidden, because it would occur in many words. */
const SHORTEST = 3;

/** Secrets, and functions that remove them from texts and errors. */
export class Secrets {
  readonly #texts: readonly string[];

  constructor(texts: Iterable<string> = []) {
    const forms = [...texts].flatMap((text) => [
      text,
      decoded(text),
      encodeURIComponent(text.toWellFormed()),
    ]);
    // The longest first, because one may be a part of another.
    this.#texts = [...new Set(forms)]
      .filter((text) => text.length >= SHORTEST)
      .sort((a, b) => b.length - a.length);
  }

  /** These secrets and those of others. */
  and(others: Secrets): Secrets {
    return new Secrets([...this.#texts, ...others.#texts]);
  }

  /** Removes the secrets from a text. */
  hide(text: string): string {
    return this.#texts.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  }

  /** Removes the secrets from an error: from its message, stack and fields, and from those of its causes. */
  hideIn<Thrown>(error: Thrown): Thrown {
    if (this.#texts.length > 0 && error instanceof Error) this.#hideInFields(error, new Set());
    return error;
  }

  // In place, because callers rely on the class, the code and the identity of the error.
  #hideInFields(error: Error, seen: Set<Error>): void {
    if (seen.has(error)) return;
    seen.add(error);
    for (const [name, field] of Object.entries(Object.getOwnPropertyDescriptors(error))) {
      if (!("value" in field)) continue;
      const value = this.#hidden(field.value, seen);
      if (value !== field.value) Object.defineProperty(error, name, { ...field, value });
    }
  }

  // Objects in fields are copied, because a driver may still use them, such as its options.
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
    return text; // not encoded, so this is its only form
  }
}
