import { invalid } from "../arguments/invalid-argument.js";
import type { Limits } from "../arguments/limits.js";
import { requireItems } from "../arguments/lists.js";
import { requireId } from "../arguments/require-id.js";
import { requireOneOf, requireRecord, requireString } from "../arguments/require-value.js";
import { kindOf } from "../arguments/shown-value.js";
import { cloneJson } from "../json/clone-json.js";
import type { Json, JsonObject } from "../json/json.js";
import { isRecord } from "../json/record.js";
import type { ContentPart, MessageDraft } from "../message/message.js";

/** A caller's message, checked and copied. It may not have an id yet. */
export interface CheckedMessage {
  readonly json: JsonObject;
  readonly bytes: number;
}

/** Checks and copies one message. */
export function requireMessage(value: unknown, path: string, limits: Limits): CheckedMessage {
  if (typeof value !== "object" || value === null)
    throw invalid(path, `must be an object, not ${kindOf(value)}.`);
  const { value: json, bytes } = cloneJson(value, path, limits.messageBytes);
  if (!isObject(json)) throw invalid(path, `must be an object, not ${kindOf(json)}.`);
  checkFields(json, path, limits);
  return { json, bytes };
}

/** Checks and copies messages. Together they must fit into one commit. */
export function requireMessages(value: unknown, path: string, limits: Limits): readonly CheckedMessage[] {
  return requireItems(value, path, limits, (message, at) => requireMessage(message, at, limits));
}

/** Adds an id to a checked message, unless it has one. */
export function draftWithId(draft: CheckedMessage, nextId: () => string): MessageDraft {
  const { json } = draft;
  return isDraft(json) ? json : asDraft({ id: nextId(), ...json });
}

/** Checks and copies the parts of a message. */
export function requireParts(value: unknown, path: string, limits: Limits): readonly ContentPart[] {
  const { value: parts } = cloneJson(value, path, limits.messageBytes);
  if (!Array.isArray(parts)) throw invalid(path, `must be an array, not ${kindOf(parts)}.`);
  for (const [index, part] of parts.entries()) checkPart(part, `${path}[${index}]`);
  return parts;
}

function checkFields(json: JsonObject, path: string, limits: Limits): void {
  if (json["id"] !== undefined) requireId(json["id"], `${path}.id`, limits);
  if (requireString(json["role"], `${path}.role`) === "") throw invalid(`${path}.role`, "must not be empty.");
  checkContent(json["content"], `${path}.content`);
  if (json["createdAt"] !== undefined && typeof json["createdAt"] !== "number") {
    throw invalid(
      `${path}.createdAt`,
      "must be a number of milliseconds since the epoch; for a Date use date.getTime().",
    );
  }
  if (json["status"] !== undefined) checkStatus(json["status"], `${path}.status`);
  if (json["metadata"] !== undefined) requireRecord(json["metadata"], `${path}.metadata`);
}

function checkContent(content: Json | undefined, path: string): void {
  if (content === undefined || content === null || typeof content === "string") return;
  if (!Array.isArray(content))
    throw invalid(path, `must be a string, an array of parts or absent, not ${kindOf(content)}.`);
  for (const [index, part] of content.entries()) checkPart(part, `${path}[${index}]`);
}

function checkPart(part: unknown, path: string): void {
  requireString(requireRecord(part, path)["type"], `${path}.type`);
}

function checkStatus(status: Json, path: string): void {
  requireOneOf(status, ["partial", "interrupted"], path);
}

function isObject(json: Json): json is JsonObject {
  return isRecord(json);
}

// `checkFields` has checked everything except the id.
function isDraft(json: JsonObject): json is MessageDraft & JsonObject {
  return json["id"] !== undefined;
}

function asDraft(json: JsonObject): MessageDraft {
  if (isDraft(json)) return json;
  throw invalid("message.id", "is missing.");
}
