import { type Json, jsonify } from "@sessions/protocol";
import { base64SubstringsOf, decodings } from "./encodings.js";

const NAMES_A_SECRET = /auth|key|token|secret|cookie|password/i;

/** Whether a header or query parameter of this name is a secret. */
export function namesASecret(name: string): boolean {
  return NAMES_A_SECRET.test(name);
}

/** Keys that local servers accept in place of a real one: no secrets, and words of many messages. */
const PLACEHOLDERS: readonly string[] = ["ollama", "none", "EMPTY", "lm-studio", "sk-no-key-required"];

/** A shorter secret may be part of any word: it is not replaced, but the whole text is withheld. */
const MIN_REPLACED_CHARS = 8;

/** A shorter match at the end of a text is taken for chance. */
const MIN_PREFIX_CHARS = 6;

/** A shorter match in base64 is taken for chance. */
const MIN_BASE64_CHARS = 4;

const REDACTED = "[redacted]";
const WITHHELD = "[withheld: it may hold a secret]";

/** Removes secrets from errors: the key, and headers and query parameters that are named like one. */
export class Secrets {
  /** No text may contain these after the usual spellings are replaced. */
  readonly #forbidden: readonly string[];
  readonly #replaced: readonly string[];

  constructor(apiKey: string | undefined, named: Iterable<readonly [name: string, value: string]>) {
    const values = [...named].filter(([name]) => namesASecret(name)).map(([, value]) => value);
    const all = [apiKey ?? "", ...values].flatMap(secretsIn);
    const secrets = all.filter((one) => one !== "" && !PLACEHOLDERS.includes(one));
    const inBase64 = secrets.flatMap(base64SubstringsOf).filter((one) => one.length >= MIN_BASE64_CHARS);
    this.#forbidden = [...new Set([...secrets, ...inBase64])];
    const spelled = secrets.filter((one) => one.length >= MIN_REPLACED_CHARS).flatMap(spellings);
    // The longest first: one secret may be a part of another.
    this.#replaced = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  }

  /** A text of the endpoint without secrets. If one is still there in another spelling, the whole text is withheld. */
  clean(text: string): string {
    const rest = this.#withoutPrefix(this.redact(text));
    const hasSecret = decodings(rest).some((read) => this.#forbidden.some((one) => read.includes(one)));
    return hasSecret ? WITHHELD : rest;
  }

  /** A text that was cut off may end with the beginning of a secret. */
  #withoutPrefix(text: string): string {
    const end = text.trimEnd();
    const length = this.#replaced
      .flatMap((one) =>
        Array.from({ length: one.length - MIN_PREFIX_CHARS }, (_, n) => one.slice(0, MIN_PREFIX_CHARS + n)),
      )
      .filter((prefix) => end.endsWith(prefix))
      .reduce((longest, prefix) => Math.max(longest, prefix.length), 0);
    return length === 0 ? text : `${end.slice(0, end.length - length)}${REDACTED}`;
  }

  /** The text with secrets replaced, in their usual spellings. */
  redact(text: string): string {
    return this.#replaced.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
  }

  /** An error as plain data without secrets. */
  cleanError(error: unknown): Json {
    return this.#cleanJson(jsonify(error));
  }

  #cleanJson(json: Json): Json {
    if (typeof json === "string") return this.clean(json);
    if (typeof json !== "object" || json === null) return json;
    if (isArray(json)) return json.map((item) => this.#cleanJson(item));
    const entries = Object.entries(json);
    return Object.fromEntries(entries.map(([key, value]) => [this.clean(key), this.#cleanJson(value)]));
  }
}

/** A header may be a scheme and a key, or several values: an echo may contain one of them alone. */
function secretsIn(value: string): readonly string[] {
  const [, credentials = ""] = /^\w+\s+(\S+)$/.exec(value) ?? [];
  return [value, credentials, ...value.split(/\s+/).filter((word) => word.length >= MIN_REPLACED_CHARS)];
}

function spellings(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    encodeURIComponent(secret),
    inJson,
    inJson.replaceAll("/", "\\/"),
    ...base64SubstringsOf(secret),
  ];
}

function isArray(json: object): json is readonly Json[] {
  return Array.isArray(json);
}
