import {
  type Clock,
  type JsonObject,
  requireOptions,
  SessionError,
  systemClock,
} from "@sessions/protocol/integration";
import type { RunnerTurn } from "../runner.js";
import { OPENAI_COMPATIBLE_OPTIONS, type OpenAICompatibleOptions } from "./options.js";
import { namesASecret, Secrets } from "./secrets.js";
import type { Tool } from "./tool.js";

/** The options, checked and complete. */
export interface Settings {
  readonly url: string;
  /** The address without its query, for people. */
  readonly place: string;
  readonly headers: Headers;
  /** Whether some header carries a key. */
  readonly hasKey: boolean;
  readonly secrets: Secrets;
  readonly model: string | undefined;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly maxSteps: number;
  readonly body: (turn: RunnerTurn) => JsonObject;
  readonly includeUsage: boolean;
  readonly sendReasoningAs: "reasoning_content" | "reasoning" | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Checks the options. What is wrong with them is INVALID_ARGUMENT, without the value where that may be a secret. */
export function settingsOf(given: OpenAICompatibleOptions): Settings {
  const options = requireOptions(given, OPENAI_COMPATIBLE_OPTIONS);
  const address = addressOf(options.baseURL);
  const { apiKey, body = {} } = options;
  const headers = headersOf(apiKey, options.headers ?? {});
  return {
    url: address.href,
    place: `${address.origin}${address.pathname}`,
    headers,
    hasKey: [...headers.keys()].some(namesASecret),
    secrets: new Secrets(apiKey, [...Object.entries(options.headers ?? {}), ...address.searchParams]),
    model: nonEmpty(options.model, "options.model"),
    tools: toolsOf(options.tools ?? {}),
    maxSteps: countOf(options.maxSteps, 8, 1, "options.maxSteps"),
    body: typeof body === "function" ? body : () => body,
    includeUsage: options.includeUsage ?? true,
    sendReasoningAs: options.sendReasoningAs,
    timeoutMs: countOf(options.timeoutMs, 300_000, 1, "options.timeoutMs"),
    retries: countOf(options.retries, 2, 0, "options.retries"),
    // Looked up at each call, and called as what it is, a global: browsers refuse it as a method of something else.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

function addressOf(baseURL: string): URL {
  const address = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw invalid("options.baseURL", "must be a URL such as https://api.openai.com/v1.");
  // fetch refuses it too, with a message that quotes the password.
  if (address.username !== "" || address.password !== "")
    throw invalid("options.baseURL", "holds a name or a password: send them in options.headers.");
  const path = address.pathname.replace(/\/+$/, "");
  address.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`;
  return address;
}

function headersOf(apiKey: string | undefined, more: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ "content-type": "application/json", accept: "text/event-stream" });
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${requireKey(apiKey)}`);
  for (const [name, value] of Object.entries(more)) setHeader(headers, name, value);
  return headers;
}

function requireKey(apiKey: string): string {
  if (apiKey === "") throw invalid("options.apiKey", "is empty: leave it out where the endpoint needs none.");
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid("options.apiKey", "holds a space, a line break or another character that no key has.");
  return apiKey;
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    // Not as a cause: the platform's message quotes the value.
    throw invalid(
      `options.headers.${name}`,
      "is no HTTP header: its name or its value has a character too many.",
    );
  }
}

function toolsOf(tools: Readonly<Record<string, Tool>>): ReadonlyMap<string, Tool> {
  for (const [name, tool] of Object.entries(tools)) {
    if (!/^[\w-]{1,64}$/.test(name))
      throw invalid(`options.tools.${name}`, "must have a name of at most 64 letters, digits, _ and -.");
    if (typeof tool.execute !== "function")
      throw invalid(`options.tools.${name}.execute`, "must be a function.");
  }
  return new Map(Object.entries(tools));
}

function nonEmpty(value: string | undefined, path: string): string | undefined {
  if (value === "") throw invalid(path, "is empty.");
  return value;
}

function countOf(value: number | undefined, otherwise: number, least: number, path: string): number {
  const count = value ?? otherwise;
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw invalid(
    path,
    `must be a whole number of at least ${least}, not ${typeof count === "object" ? "an object" : String(count)}.`,
  );
}

/** A refusal of something that the caller gave, with the way to it. */
export function invalid(path: string, problem: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, { path });
}
