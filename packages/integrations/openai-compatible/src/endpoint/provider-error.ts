import { type Fields, isFields, stringAt } from "@sessions/turn-runner";
import type { EndpointErrorCode } from "../endpoint-error.js";

/** An error as an endpoint reports it, in its body or in the middle of a stream. */
export interface ProviderError {
  readonly message: string | undefined;
  /** The endpoint's own name for it. */
  readonly providerCode: string | undefined;
  /** The HTTP status that it stands for, if the endpoint says so. */
  readonly status: number | undefined;
}

/**
 * Reads `{ error: { message, type, code } }` as OpenAI sends it, and its variants: `{ error: "…" }`, `{ object: "error", message }`.
 * `undefined` if the JSON is no error.
 */
export function providerError(json: unknown): ProviderError | undefined {
  if (!isFields(json)) return undefined;
  const { error } = json;
  if (isFields(error)) return read(error);
  if (typeof error === "string") return { ...read(json), message: error };
  return json["object"] === "error" ? read(json) : undefined;
}

function read(error: Fields): ProviderError {
  const { code } = error;
  return {
    message: stringAt(error, "message"),
    providerCode: stringAt(error, "code", "type"),
    status: typeof code === "number" && code >= 300 && code < 600 ? code : undefined,
  };
}

/** Names that are used where there is no status. */
const BY_NAME: ReadonlyMap<string | undefined, EndpointErrorCode> = new Map([
  ["insufficient_quota", "QUOTA_EXCEEDED"],
  ["rate_limit_exceeded", "RATE_LIMITED"],
  ["rate_limit_error", "RATE_LIMITED"],
  ["invalid_request_error", "REQUEST_REFUSED"],
  ["context_length_exceeded", "REQUEST_REFUSED"],
  ["authentication_error", "UNAUTHORIZED"],
  ["invalid_api_key", "UNAUTHORIZED"],
]);

/** Statuses of 4xx that do not mean a wrong request. */
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

/** The code of an error. In the middle of a stream there is no status, and an unknown name is the server's error. */
export function codeOf(status: number | undefined, providerCode: string | undefined): EndpointErrorCode {
  // An account without credit is a 429 too, but waiting does not help.
  if (providerCode === "insufficient_quota") return "QUOTA_EXCEEDED";
  if (status === undefined) return BY_NAME.get(providerCode) ?? "SERVER_ERROR";
  if (status < 400) return "NOT_FOUND";
  return BY_STATUS.get(status) ?? (status < 500 ? "REQUEST_REFUSED" : "SERVER_ERROR");
}
