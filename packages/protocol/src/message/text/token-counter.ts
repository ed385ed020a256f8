import { SessionError } from "../../errors/session-error.js";
import { isRecord } from "../../json/record.js";
import type { Message } from "../message.js";
import { textOfPart } from "./text-of-part.js";

/** The number of tokens of a message. Never negative, and the same for the same message. */
export type CountTokens = (message: Message) => number;

// Weights are in quarters of a token. An English letter is one quarter, a letter of most other alphabets two, a Chinese,
// Japanese or Korean character four. An emoji is two code units, and about two tokens.
const QUARTERS_PER_TOKEN = 4;
const FIRST_NON_ASCII = 0x80;
const FIRST_CJK = 0x2e80;
const BEYOND_ASCII = /[\u0080-\uffff]/;

// A provider adds the role and separators to every message.
const TOKENS_PER_MESSAGE = 4;

// About the price of a picture, whatever the size of its base64.
const MAX_MEDIA_QUARTERS = 1000 * QUARTERS_PER_TOKEN;
const INLINE_MEDIA = /^(?:data:[^,]*,)?[\w+/=-]+$/;

// The fields of a chat message, and of an OpenAI item at the top, that are sent to a model. Other fields belong to the caller.
const PROMPT_FIELDS: readonly string[] = [
  ...["content", "parts", "item", "entry", "refusal", "tool_calls", "function_call", "name", "arguments"],
  ...["input", "output", "action", "actions", "operation", "code", "summary"],
];

// Fields of a part that frameworks keep for themselves.
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "providerOptions",
  "providerMetadata",
  "callProviderMetadata",
  "resultProviderMetadata",
]);

/**
 * Estimates the tokens of a message without a tokenizer: one token for about four characters of text or tool payload, or for
 * about one character of Chinese, Japanese or Korean, and four tokens for the message itself. An inline picture or file
 * counts at most 1000 tokens, a URL as much as its text. Pass your own `countTokens` if you need exact numbers.
 */
export function estimateTokens(message: Message): number {
  const quarters = PROMPT_FIELDS.reduce((sum, field) => sum + weighJson(message[field]), 0);
  return TOKENS_PER_MESSAGE + Math.ceil(quarters / QUARTERS_PER_TOKEN);
}

/** More values than the largest message has, at two bytes each. Without a limit, a cycle would never end. */
const MAX_VALUES = 2 ** 22;

// A list of pending values instead of recursion: JSON may be nested deeper than the stack allows.
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
