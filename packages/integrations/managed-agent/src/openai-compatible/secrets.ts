import { type Json, jsonify } from "@sessions/protocol";

const NAMES_A_SECRET = /auth|key|token|secret|cookie|password/i;

/** Whether a header or query parameter of this name holds something that nobody may see. */
export function namesASecret(name: string): boolean {
  return NAMES_A_SECRET.test(name);
}

/** Shorter ones are placeholders ("none", "ollama"): to take those out would only garble messages. */
const SHORTEST = 8;

const STAND_IN = "[redacted]";

/** What must not appear in any error: the key, and headers and query parameters whose names say so. */
export class Secrets {
  readonly #values: readonly string[];

  constructor(apiKey: string | undefined, named: Iterable<readonly [name: string, value: string]>) {
    const values = [...named].filter(([name]) => namesASecret(name)).map(([, value]) => value);
    // A header is a scheme and a key: an echo may hold the key alone.
    const words = [apiKey ?? "", ...values].flatMap((value) => [value, ...value.split(/\s+/)]);
    const spelled = words.filter((word) => word.length >= SHORTEST).flatMap(spellings);
    // The longest first: one secret may be a part of another.
    this.#values = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  }

  /** The text without any of them. */
  redact(text: string): string {
    return this.#values.reduce((rest, value) => rest.replaceAll(value, STAND_IN), text);
  }

  /** Plain data that tells what an error tells, without any of them. */
  redactError(error: unknown): Json {
    return this.#redactJson(jsonify(error));
  }

  #redactJson(json: Json): Json {
    if (typeof json === "string") return this.redact(json);
    if (typeof json !== "object" || json === null) return json;
    if (isArray(json)) return json.map((item) => this.#redactJson(item));
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, this.#redactJson(value)]));
  }
}

function spellings(word: string): readonly string[] {
  return [word, encodeURIComponent(word)];
}

function isArray(json: object): json is readonly Json[] {
  return Array.isArray(json);
}
