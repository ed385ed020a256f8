import { type Clock, type JsonObject, requireOptions, systemClock } from "@sessions/protocol/integration";
import { invalid, type RunnerTurn, requireCount, requireFunction } from "@sessions/turn-runner";
import { OPENAI_COMPATIBLE_OPTIONS, type OpenAICompatibleOptions } from "./options.js";
import { namesASecret, Secrets } from "./secrets/secrets.js";
import type { Tool } from "./tools/tool.js";

/** The options, checked and with their defaults. */
export interface Settings {
  readonly url: string;
  /** The URL without its query, for messages. */
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

/** Checks the options. INVALID_ARGUMENT without the value, if that may be a secret. */
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
    maxSteps: requireCount(options.maxSteps ?? 8, "options.maxSteps", 1),
    body: typeof body === "function" ? body : () => body,
    includeUsage: options.includeUsage ?? true,
    sendReasoningAs: options.sendReasoningAs,
    timeoutMs: requireCount(options.timeoutMs ?? 300_000, "options.timeoutMs", 1),
    retries: requireCount(options.retries ?? 2, "options.retries", 0),
    // Looked up at each call, and called as a global: browsers refuse it as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

function addressOf(baseURL: string): URL {
  const address = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw invalid("options.baseURL", "must be a URL such as https://api.openai.com/v1.");
  // `fetch` refuses it too, but its message quotes the password.
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
    // Without the cause: the platform's message quotes the value.
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
    requireFunction(tool.execute, `options.tools.${name}.execute`);
  }
  return new Map(Object.entries(tools));
}

function nonEmpty(value: string | undefined, path: string): string | undefined {
  if (value === "") throw invalid(path, "is empty.");
  return value;
}
