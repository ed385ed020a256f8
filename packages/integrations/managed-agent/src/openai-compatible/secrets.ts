import { type Json, jsonify } from "@sessions/protocol";
import { base64Of, readings } from "./encodings.js";

const NAMES_A_SECRET = /auth|key|token|secret|cookie|password/i;

/** Whether a header or query parameter of this name holds something that nobody may see. */
export function namesASecret(name: string): boolean {
  return NAMES_A_SECRET.test(name);
}

/** What local servers are given where a key must be given: no secret, and a word of many messages. */
const PLACEHOLDERS: readonly string[] = ["ollama", "none", "EMPTY", "lm-studio", "sk-no-key-required"];

/** A shorter secret may stand in any word by chance: it is not replaced there, but the whole text is left out. */
const LEAST_REPLACED = 8;

/** Fewer characters at the end of a text may be anything. */
const LEAST_HALF = 6;

/** Fewer characters of base64 than this say nothing. */
const LEAST_BASE64 = 4;

const STAND_IN = "[redacted]";
const WITHHELD = "[withheld: it may hold a secret]";

/** What must not appear in any error: the key, and headers and query parameters whose names say so. */
export class Secrets {
  /** What no text may hold once the usual spellings are replaced. */
  readonly #forbidden: readonly string[];
  readonly #replaced: readonly string[];

  constructor(apiKey: string | undefined, named: Iterable<readonly [name: string, value: string]>) {
    const values = [...named].filter(([name]) => namesASecret(name)).map(([, value]) => value);
    const all = [apiKey ?? "", ...values].flatMap(secretsIn);
    const secrets = all.filter((one) => one !== "" && !PLACEHOLDERS.includes(one));
    const inBase64 = secrets.flatMap(base64Of).filter((one) => one.length >= LEAST_BASE64);
    this.#forbidden = [...new Set([...secrets, ...inBase64])];
    const spelled = secrets.filter((one) => one.length >= LEAST_REPLACED).flatMap(spellings);
    // The longest first: one secret may be a part of another.
    this.#replaced = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  }

  /** Words of others without any of them. Where one is still there in some other spelling, nothing of the text is left. */
  clean(text: string): string {
    const rest = this.#withoutHalf(this.redact(text));
    const isHeld = readings(rest).some((read) => this.#forbidden.some((one) => read.includes(one)));
    return isHeld ? WITHHELD : rest;
  }

  /** A text that was cut off may end with the beginning of a secret. */
  #withoutHalf(text: string): string {
    const end = text.trimEnd();
    const longest = this.#replaced
      .flatMap((one) =>
        Array.from({ length: one.length - LEAST_HALF }, (_, n) => one.slice(0, LEAST_HALF + n)),
      )
      .filter((half) => end.endsWith(half))
      .reduce((most, half) => Math.max(most, half.length), 0);
    return longest === 0 ? text : `${end.slice(0, end.length - longest)}${STAND_IN}`;
  }

  /** The text without any of them in the spellings that are usual. */
  redact(text: string): string {
    return this.#replaced.reduce((rest, value) => rest.replaceAll(value, STAND_IN), text);
  }

  /** Plain data that tells what an error tells, without any of them. */
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

/** A header is a scheme and a key, or several values: an echo may hold one of them alone. */
function secretsIn(value: string): readonly string[] {
  const [, credentials = ""] = /^\w+\s+(\S+)$/.exec(value) ?? [];
  return [value, credentials, ...value.split(/\s+/).filter((word) => word.length >= LEAST_REPLACED)];
}

function spellings(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), inJson, inJson.replaceAll("/", "\\/"), ...base64Of(secret)];
}

function isArray(json: object): json is readonly Json[] {
  return Array.isArray(json);
}
