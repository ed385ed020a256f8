import type { EndpointErrorCode } from "./endpoint-error.js";
import { type Fields, isFields, stringAt } from "./json-fields.js";

/** What an endpoint tells about a failure, in its body or in the middle of a stream. */
export interface ToldError {
  readonly message: string | undefined;
  /** Its own name for it. */
  readonly providerCode: string | undefined;
  /** The HTTP status that it stands for, where the endpoint tells one. */
  readonly status: number | undefined;
}

/**
 * Reads `{ error: { message, type, code } }` as OpenAI has it, and its relatives: `{ error: "…" }`,
 * `{ object: "error", message }`. `undefined` if it tells of no error.
 */
export function toldError(json: unknown): ToldError | undefined {
  if (!isFields(json)) return undefined;
  const { error } = json;
  if (isFields(error)) return read(error);
  if (typeof error === "string") return { ...read(json), message: error };
  return json["object"] === "error" ? read(json) : undefined;
}

function read(error: Fields): ToldError {
  const { code } = error;
  return {
    message: stringAt(error, "message"),
    providerCode: stringAt(error, "code", "type"),
    status: typeof code === "number" && code >= 300 && code < 600 ? code : undefined,
  };
}

/** Names that tell more than the status, or stand where there is none. */
const BY_NAME: ReadonlyMap<string | undefined, EndpointErrorCode> = new Map([
  ["insufficient_quota", "QUOTA_EXCEEDED"],
  ["rate_limit_exceeded", "RATE_LIMITED"],
  ["rate_limit_error", "RATE_LIMITED"],
  ["invalid_request_error", "REQUEST_REFUSED"],
  ["context_length_exceeded", "REQUEST_REFUSED"],
  ["authentication_error", "UNAUTHORIZED"],
  ["invalid_api_key", "UNAUTHORIZED"],
]);

/** Statuses of 4xx that mean something else than a wrong request. */
const BY_STATUS: ReadonlyMap<number, EndpointErrorCode> = new Map([
  [401, "UNAUTHORIZED"],
  [402, "QUOTA_EXCEEDED"],
  [403, "UNAUTHORIZED"],
  [404, "NOT_FOUND"],
  [405, "NOT_FOUND"],
  [408, "SERVER_ERROR"],
  [409, "SERVER_ERROR"],
  [425, "SERVER_ERROR"],
  [429, "RATE_LIMITED"],
]);

/** Which code it is. In mid-stream there is no status, and an error without a known name is the server's. */
export function codeOf(status: number | undefined, providerCode: string | undefined): EndpointErrorCode {
  // A used-up account is a 429 too, and no waiting helps.
  if (providerCode === "insufficient_quota") return "QUOTA_EXCEEDED";
  if (status === undefined) return BY_NAME.get(providerCode) ?? "SERVER_ERROR";
  if (status < 400) return "NOT_FOUND";
  return BY_STATUS.get(status) ?? (status < 500 ? "REQUEST_REFUSED" : "SERVER_ERROR");
}
