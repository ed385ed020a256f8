import { invalid, tooLarge } from "../../arguments/invalid-argument.js";
import type { Limits } from "../../arguments/limits.js";
import { optional } from "../../arguments/optional-field.js";
import { requireId } from "../../arguments/require-id.js";
import {
  requireArray,
  requireCount,
  requireOneOf,
  requireRecord,
  requireString,
  requireTime,
} from "../../arguments/require-value.js";
import { cloneDocument, cloneJson } from "../../json/clone-json.js";
import type { MemoryDocument, SessionDocument } from "../../session/session-document.js";
import { unknownDocumentFields, unknownSnapshotFields } from "../../session/unknown-fields.js";
import { requireMessage } from "../checked-message.js";
import { checkStoredExpiry } from "../expiry.js";
import { requireCounters, requireLabels, requireMetadata, requireTitle } from "../session-fields.js";
import { checkMemory, requireRevision } from "./document-memory.js";
import { UniqueNames } from "./unique-names.js";

/** Checks and copies a whole session, such as one from an edited bundle. */
export function requireDocument(value: unknown, path: string, limits: Limits): SessionDocument {
  const document: unknown = cloneDocument(value, path, limits.documentBytes).value;
  if (isDocument(document, path, limits)) return storable(document);
  throw invalid(path, "must be a session document.");
}

/** No store keeps more entries of a memory than this, so a longer list describes the same session. */
function storable(document: SessionDocument): SessionDocument {
  const { finishedTurns, commits } = document;
  return { ...document, finishedTurns: memoryOf(finishedTurns), commits: memoryOf(commits) };
}

function memoryOf<Entry>({ entries, horizon }: MemoryDocument<Entry>): MemoryDocument<Entry> {
  return { entries, horizon };
}

// Returns true or throws. It is a predicate so that the compiler knows what was checked.
function isDocument(value: unknown, path: string, limits: Limits): value is SessionDocument {
  const document = requireRecord(value, path);
  const at = (name: string): string => `${path}.${name}`;
  requireId(document["incarnation"], at("incarnation"), limits);
  const revision = checkRevision(document["revision"], at("revision"));
  requireTime(document["createdAt"], at("createdAt"));
  requireTime(document["updatedAt"], at("updatedAt"));
  checkStoredExpiry(document, path);
  optional(document["title"], at("title"), (title, where) => requireTitle(title, where, limits));
  requireLabels(document["labels"], at("labels"), limits);
  checkMetadata(document["metadata"], at("metadata"), limits);
  requireCounters(document["counters"], at("counters"), limits);
  optional(document["parent"], at("parent"), (parent, where) => checkParent(parent, where, limits));
  const own = { revision, sharedIds: [], sharedRevisions: [] };
  const { ids, revisions } = checkHistory(document, path, own, limits);
  optional(document["rewrittenAt"], at("rewrittenAt"), (rewritten, where) =>
    requireRevision(rewritten, where, revision),
  );
  const session = { revision, sharedIds: ids, sharedRevisions: revisions };
  checkSnapshots(document["snapshots"], at("snapshots"), session, limits);
  optional(document["lastTurn"], at("lastTurn"), (turn, where) => checkLastTurn(turn, where, limits));
  checkMemory(document["finishedTurns"], at("finishedTurns"), revision, limits);
  checkMemory(document["commits"], at("commits"), revision, limits);
  checkUnknownFields(unknownDocumentFields(document).unknownFields, path, limits);
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

/** Later commits increment this number, and every engine must represent it exactly: Lua scripts in Redis print 14 digits. */
const MAX_IMPORTED_REVISION = 1e13;

function checkRevision(value: unknown, path: string): number {
  const revision = requireCount(value, path, 1);
  if (revision <= MAX_IMPORTED_REVISION) return revision;
  throw invalid(path, `must be at most ${MAX_IMPORTED_REVISION}, so that later commits can be counted.`);
}

/** Every commit writes these fields again, so together they may not be larger than one metadata value. */
function checkUnknownFields(unknownFields: unknown, path: string, limits: Limits): void {
  if (unknownFields === undefined) return;
  const { bytes } = cloneJson(unknownFields, path);
  if (bytes > limits.metadataBytes) throw tooLarge(`${path} (unknown fields)`, bytes, limits.metadataBytes);
}

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

/** What a history is checked against: the session's revision and the first messages of the history. */
interface Holder {
  readonly revision: number;
  readonly sharedIds: readonly string[];
  readonly sharedRevisions: readonly number[];
}

interface CheckedHistory {
  readonly ids: readonly string[];
  readonly revisions: readonly number[];
  readonly liveCount: number;
}

/** Checks messages, their revisions and the archives that cover them. */
function checkHistory(holder: Fields, path: string, session: Holder, limits: Limits): CheckedHistory {
  const messages = requireArray(holder["messages"], `${path}.messages`);
  const added = messages.map((message, index) => checkMessage(message, `${path}.messages[${index}]`, limits));
  const ids = [...session.sharedIds, ...added];
  if (new Set(ids).size !== ids.length)
    throw invalid(`${path}.messages`, "holds two messages with the same id.");
  const revisions = checkRevisions(holder["revisions"], `${path}.revisions`, session);
  if (revisions.length !== ids.length)
    throw invalid(`${path}.revisions`, "must have one revision for each message.");
  const archived = checkArchives(holder["archives"], `${path}.archives`, ids, limits);
  return { ids, revisions, liveCount: ids.length - archived };
}

/** The revisions of the whole history. They never decrease, because messages are added at the end. */
function checkRevisions(value: unknown, path: string, session: Holder): readonly number[] {
  const revisions = [...session.sharedRevisions];
  for (const [index, entry] of requireArray(value, path).entries()) {
    const at = `${path}[${index}]`;
    const revision = requireRevision(entry, at, session.revision);
    if (revision < (revisions.at(-1) ?? 0))
      throw invalid(at, `is ${revision}, which is earlier than the revision of the message before it.`);
    revisions.push(revision);
  }
  return revisions;
}

function checkMessage(value: unknown, path: string, limits: Limits): string {
  const { json } = requireMessage(value, path, limits);
  requireTime(json["createdAt"], `${path}.createdAt`);
  return requireId(json["id"], `${path}.id`, limits);
}

/** Returns how many messages the archives cover. */
function checkArchives(value: unknown, path: string, ids: readonly string[], limits: Limits): number {
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
  return from;
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

function checkSnapshots(value: unknown, path: string, session: Holder, limits: Limits): void {
  const names = new UniqueNames("another snapshot");
  for (const [index, entry] of requireArray(value, path).entries()) {
    const at = `${path}[${index}]`;
    const snapshot = requireRecord(entry, at);
    names.add(requireId(snapshot["name"], `${at}.name`, limits), `${at}.name`);
    checkSnapshot(snapshot, at, session, limits);
  }
}

function checkSnapshot(snapshot: Fields, path: string, session: Holder, limits: Limits): void {
  requireTime(snapshot["createdAt"], `${path}.createdAt`);
  requireRevision(snapshot["revision"], `${path}.revision`, session.revision);
  const count = requireCount(snapshot["messageCount"], `${path}.messageCount`);
  const shared = requireCount(snapshot["shared"], `${path}.shared`);
  if (shared > session.sharedIds.length)
    throw invalid(`${path}.shared`, "is more than the session has messages.");
  const holder = {
    revision: session.revision,
    sharedIds: session.sharedIds.slice(0, shared),
    sharedRevisions: session.sharedRevisions.slice(0, shared),
  };
  const { liveCount } = checkHistory(snapshot, path, holder, limits);
  if (count !== liveCount)
    throw invalid(`${path}.messageCount`, `must be ${liveCount}: so many of its messages are live.`);
  checkUnknownFields(unknownSnapshotFields(snapshot).unknownFields, path, limits);
}

function checkLastTurn(value: unknown, path: string, limits: Limits): void {
  const turn = requireRecord(value, path);
  requireId(turn["turnId"], `${path}.turnId`, limits);
  requireOneOf(turn["outcome"], ["completed", "failed", "interrupted"], `${path}.outcome`);
  requireTime(turn["endedAt"], `${path}.endedAt`);
  optional(turn["error"], `${path}.error`, requireString);
}
