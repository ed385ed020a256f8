import { SessionError } from "../../errors/session-error.js";
import { isRecord } from "../../json/record.js";
import type { Message } from "../message.js";
import { textOfPart } from "./text-of-part.js";

/** How many tokens a message costs. Never negative, and the same for the same message. */
export type CountTokens = (message: Message) => number;

// A token is about four quarters: four letters of English, two of most other alphabets, one Chinese, Japanese
// or Korean character. An emoji is two code units, and about two tokens.
const QUARTERS_PER_TOKEN = 4;
const FIRST_NON_ASCII = 0x80;
const FIRST_CJK = 0x2e80;
const BEYOND_ASCII = /[\u0080-\uffff]/;

// What a provider adds around every message: its role and the marks between messages.
const TOKENS_PER_MESSAGE = 4;

// A picture costs about this much, however many bytes of base64 it takes.
const MAX_MEDIA_QUARTERS = 1000 * QUARTERS_PER_TOKEN;
const INLINE_MEDIA = /^(?:data:[^,]*,)?[\w+/=-]+$/;

// The fields that reach a model, of a chat message and of an OpenAI item that lies at the top. The others are
// the caller's own.
const PROMPT_FIELDS: readonly string[] = [
  ...["content", "parts", "item", "entry", "refusal", "tool_calls", "function_call", "name", "arguments"],
  ...["input", "output", "action", "actions", "operation", "code", "summary"],
];

// What a framework keeps beside a part for its own use.
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "providerOptions",
  "providerMetadata",
  "callProviderMetadata",
  "resultProviderMetadata",
]);

/**
 * Estimates what a message costs a model, without its tokenizer: about four characters of text or tool
 * payload a token, about one for Chinese, Japanese and Korean, and four tokens for the message itself.
 * Pictures and files that are written out in the message count 1000 tokens at most, those behind a URL as
 * much as the URL. Pass your own `countTokens` where it must be exact.
 */
export function estimateTokens(message: Message): number {
  const quarters = PROMPT_FIELDS.reduce((sum, field) => sum + weighJson(message[field]), 0);
  return TOKENS_PER_MESSAGE + Math.ceil(quarters / QUARTERS_PER_TOKEN);
}

/** More values than the largest message can hold, at two bytes each. A cycle would be weighed for ever. */
const MAX_VALUES = 2 ** 22;

// A list of what is still to weigh instead of recursion: JSON may be nested deeper than the stack is.
function weighJson(root: unknown): number {
  const pending: unknown[] = [root];
  let quarters = 0;
  for (let weighed = 0; pending.length > 0; weighed++) {
    if (weighed + pending.length > MAX_VALUES) throw tooManyValues();
    quarters += weighNext(pending.pop(), pending);
  }
  return quarters;
}

function tooManyValues(): SessionError {
  const message = `message holds more than ${MAX_VALUES} values, or a cycle: it cannot be weighed.`;
  return SessionError.of("TOO_LARGE", message, { path: "message", limit: MAX_VALUES });
}

function weighNext(value: unknown, pending: unknown[]): number {
  if (typeof value === "string") return weighText(value);
  if (Array.isArray(value)) {
    if (value.length > MAX_VALUES) throw tooManyValues();
    for (const element of value) pending.push(element);
    return 0;
  }
  if (!isRecord(value)) return value === undefined ? 0 : QUARTERS_PER_TOKEN;
  const text = textOfPart(value);
  return text === undefined ? weighFields(value, pending) : weighText(text);
}

function weighFields(fields: object, pending: unknown[]): number {
  let quarters = 0;
  for (const [key, value] of Object.entries(fields)) {
    if (BOOKKEEPING.has(key)) continue;
    quarters += weighText(key);
    pending.push(value);
  }
  return quarters;
}

function weighText(text: string): number {
  if (text.length > MAX_MEDIA_QUARTERS && INLINE_MEDIA.test(text)) return MAX_MEDIA_QUARTERS;
  if (!BEYOND_ASCII.test(text)) return text.length;
  let quarters = 0;
  for (let index = 0; index < text.length; index++) quarters += weighUnit(text.charCodeAt(index));
  return quarters;
}

function weighUnit(unit: number): number {
  if (unit < FIRST_NON_ASCII) return 1;
  return unit < FIRST_CJK ? 2 : 4;
}
