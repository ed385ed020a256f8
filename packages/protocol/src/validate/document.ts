import { cloneJson } from "../json/clone-json.js";
import type { SessionDocument } from "../session/session-document.js";
import {
  invalid,
  optional,
  requireArray,
  requireCount,
  requireOneOf,
  requireRecord,
  requireString,
  requireTime,
} from "./argument.js";
import { requireId } from "./identifier.js";
import type { Limits } from "./limits.js";
import { requireMessage } from "./message-draft.js";
import { requireCounters, requireLabels, requireMetadata, requireTitle } from "./session-fields.js";

/** Checks and copies a whole session, such as one from a bundle that somebody edited. */
export function requireDocument(value: unknown, path: string, limits: Limits): SessionDocument {
  requireRecord(value, path);
  const document: unknown = cloneJson(value, path).value;
  if (isDocument(document, path, limits)) return document;
  throw invalid(path, "must be a session document.");
}

// Returns true or throws: the predicate is how the compiler learns what was checked.
function isDocument(value: unknown, path: string, limits: Limits): value is SessionDocument {
  const document = requireRecord(value, path);
  const at = (name: string): string => `${path}.${name}`;
  requireId(document["incarnation"], at("incarnation"), limits);
  requireCount(document["revision"], at("revision"), 1);
  requireTime(document["createdAt"], at("createdAt"));
  requireTime(document["updatedAt"], at("updatedAt"));
  optional(document["expiresAt"], at("expiresAt"), requireTime);
  optional(document["title"], at("title"), (title, where) => requireTitle(title, where, limits));
  requireLabels(document["labels"], at("labels"), limits);
  checkMetadata(document["metadata"], at("metadata"), limits);
  requireCounters(document["counters"], at("counters"));
  optional(document["parent"], at("parent"), (parent, where) => checkParent(parent, where, limits));
  const messages = checkHistory(document, path, 0, limits);
  for (const [index, snapshot] of requireArray(document["snapshots"], at("snapshots")).entries()) {
    checkSnapshot(snapshot, `${at("snapshots")}[${index}]`, messages, limits);
  }
  optional(document["lastTurn"], at("lastTurn"), (turn, where) => checkLastTurn(turn, where, limits));
  checkMemory(document["finishedTurns"], at("finishedTurns"), limits);
  checkMemory(document["commits"], at("commits"), limits);
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function checkMetadata(value: unknown, path: string, limits: Limits): void {
  const removed = Object.entries(requireMetadata(value, path, limits)).find(([, entry]) => entry === null);
  if (removed !== undefined)
    throw invalid(`${path}.${removed[0]}`, "is null, which no session holds: leave the key out.");
}

function checkParent(value: unknown, path: string, limits: Limits): void {
  const parent = requireRecord(value, path);
  requireId(parent["sessionId"], `${path}.sessionId`, limits);
  requireId(parent["incarnation"], `${path}.incarnation`, limits);
  optional(parent["messageId"], `${path}.messageId`, (id, at) => requireId(id, at, limits));
}

/** Messages, their revisions and the archives over them. Returns the ids. */
function checkHistory(
  holder: Fields,
  path: string,
  shared: number,
  limits: Limits,
  before: readonly string[] = [],
): readonly string[] {
  const messages = requireArray(holder["messages"], `${path}.messages`);
  const ids = messages.map((message, index) => checkMessage(message, `${path}.messages[${index}]`, limits));
  const all = [...before.slice(0, shared), ...ids];
  if (new Set(all).size !== all.length)
    throw invalid(`${path}.messages`, "holds two messages with the same id.");
  const revisions = requireArray(holder["revisions"], `${path}.revisions`);
  for (const [index, revision] of revisions.entries()) requireCount(revision, `${path}.revisions[${index}]`);
  if (revisions.length !== messages.length)
    throw invalid(`${path}.revisions`, "must have one revision for each message.");
  checkArchives(holder["archives"], `${path}.archives`, all, limits);
  return all;
}

function checkMessage(value: unknown, path: string, limits: Limits): string {
  const { json } = requireMessage(value, path, limits);
  requireTime(json["createdAt"], `${path}.createdAt`);
  return requireId(json["id"], `${path}.id`, limits);
}

function checkArchives(value: unknown, path: string, ids: readonly string[], limits: Limits): void {
  let from = 0;
  const archiveIds = new Set<string>();
  for (const [index, entry] of requireArray(value, path).entries()) {
    const at = `${path}[${index}]`;
    const archive = requireRecord(entry, at);
    archiveIds.add(requireId(archive["id"], `${at}.id`, limits));
    requireTime(archive["createdAt"], `${at}.createdAt`);
    const count = requireCount(archive["messageCount"], `${at}.messageCount`, 1);
    const covered = ids.slice(from, from + count);
    from += count;
    const fits =
      covered.length === count &&
      covered[0] === archive["firstMessageId"] &&
      covered.at(-1) === archive["lastMessageId"];
    if (!fits) throw invalid(at, "does not cover the messages that it says.");
    checkSummary(archive["summary"], `${at}.summary`);
    if (archiveIds.size !== index + 1) throw invalid(`${at}.id`, "is the id of another archive as well.");
  }
}

function checkSummary(value: unknown, path: string): void {
  const summary = requireRecord(value, path);
  const status = requireOneOf(summary["status"], ["pending", "done", "failed"], `${path}.status`);
  if (status === "pending") return;
  requireTime(summary["settledAt"], `${path}.settledAt`);
  if (status === "done") requireString(summary["text"], `${path}.text`);
  else checkFailure(summary, path);
}

function checkFailure(summary: Fields, path: string): void {
  requireString(summary["error"], `${path}.error`);
  requireCount(summary["attempts"], `${path}.attempts`, 1);
}

function checkSnapshot(value: unknown, path: string, messages: readonly string[], limits: Limits): void {
  const snapshot = requireRecord(value, path);
  requireId(snapshot["name"], `${path}.name`, limits);
  requireTime(snapshot["createdAt"], `${path}.createdAt`);
  requireCount(snapshot["revision"], `${path}.revision`);
  requireCount(snapshot["messageCount"], `${path}.messageCount`);
  const shared = requireCount(snapshot["shared"], `${path}.shared`);
  if (shared > messages.length) throw invalid(`${path}.shared`, "is more than the session has messages.");
  checkHistory(snapshot, path, shared, limits, messages);
}

function checkLastTurn(value: unknown, path: string, limits: Limits): void {
  const turn = requireRecord(value, path);
  requireId(turn["turnId"], `${path}.turnId`, limits);
  requireOneOf(turn["outcome"], ["completed", "failed", "interrupted"], `${path}.outcome`);
  requireTime(turn["endedAt"], `${path}.endedAt`);
  optional(turn["error"], `${path}.error`, requireString);
}

function checkMemory(value: unknown, path: string, limits: Limits): void {
  const memory = requireRecord(value, path);
  requireTime(memory["horizon"], `${path}.horizon`);
  requireArray(memory["entries"], `${path}.entries`).forEach((entry, index) => {
    const at = `${path}.entries[${index}]`;
    const remembered = requireRecord(entry, at);
    requireId(remembered["id"], `${at}.id`, limits);
    requireCount(remembered["revision"], `${at}.revision`);
    requireTime(remembered["at"], `${at}.at`);
  });
}
