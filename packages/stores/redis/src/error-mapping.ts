import { Damage, SessionError } from "@sessions/protocol/backend";
import { safeCause, withoutUserInfo } from "./engine/safe-cause.js";
import { isWrongType } from "./engine/wrong-type.js";
import { FORMAT_VERSION } from "./keys/format-version.js";

/** No reply came in time, or the connection went away: it may have been done or not. */
export class Unanswered extends Error {}

/** It was done, and too few replicas have confirmed it: a failover may undo it. */
export class Unconfirmed extends Error {}

/** There was no connection: nothing was sent. */
export class Unsent extends Error {}

/**
 * What an error of a call means. Only after `unanswered` it may have been done. `busy`, `moved` and `again` pass: a slot that is
 * being moved, one that is elsewhere, a server that loads or has no primary. `refused` stays.
 */
export type Failure = "unsent" | "unanswered" | "busy" | "moved" | "again" | "refused";

const BUSY = /\bTRYAGAIN\b|^BUSY /;
const REDIRECTED = /Too many Cluster redirections/;
const MOVED = /\b(MOVED|ASK)\b/;
const AGAIN = /\b(LOADING|CLUSTERDOWN|READONLY|MASTERDOWN|NOREPLICAS)\b|cluster state fail/;
/** Refusals that end by themselves: its disk is full, or too many clients are connected. Every other one is the same the next time. */
const PASSING = /\bMISCONF\b|max number of clients/;
const NO_PASSWORD = /\bNOAUTH\b/;
const WRONG_PASSWORD = /WRONGPASS|invalid password|invalid username/;
const NO_DATABASE = /DB index is out of range|invalid DB index/;
const CLUSTER_DATABASE = /SELECT is not allowed in cluster mode/;
const NO_CLUSTER = /cluster support disabled/;
const NOT_SENT = /isn't writeable|Cluster isn't ready/;

export function failureOf(error: unknown): Failure {
  if (error instanceof Unsent) return isFinalRefusal(error.cause) ? "refused" : "unsent";
  if (!(error instanceof Error) || error instanceof Unanswered) return "unanswered";
  if (BUSY.test(error.message)) return "busy";
  if (AGAIN.test(error.message)) return "again";
  // Sent from node to node: its slot is on the way.
  if (REDIRECTED.test(error.message)) return "busy";
  if (MOVED.test(error.message)) return "moved";
  if (NOT_SENT.test(error.message)) return "unsent";
  return isReply(error) ? "refused" : "unanswered";
}

/** However the connection went away, it may have been done. */
export function asUnanswered(error: unknown): Unanswered {
  if (error instanceof Unanswered) return error;
  return new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Whether the server refuses the connection itself, and will do so again: its user, its database, or that it is a Cluster. */
export function isFinalRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !isReply(error)) return false;
  const { message } = error;
  const isUser = NO_PASSWORD.test(message) || WRONG_PASSWORD.test(message) || isForbidden(message);
  return isUser || [NO_DATABASE, CLUSTER_DATABASE, NO_CLUSTER].some((refusal) => refusal.test(message));
}

/** What went wrong, as callers see it. */
export function asSessionError(error: unknown, location: string, sessionId?: string): unknown {
  if (SessionError.is(error)) return error;
  if (error instanceof Damage) return corrupted(error, location, sessionId);
  if (!(error instanceof Error)) return error;
  if (failureOf(error) === "refused") {
    const { cause } = error;
    return refused(error instanceof Unsent && cause instanceof Error ? cause : error, location, sessionId);
  }
  return isFromServer(error) ? unavailable(error, location, sessionId) : error;
}

/** The server has answered that it will not do it. */
function refused(error: Error, location: string, sessionId: string | undefined): SessionError {
  const { message } = error;
  const cause = safeCause(error);
  if (sessionId !== undefined && isWrongType(error)) {
    const problem = "one of its keys holds another type of value, written by another program";
    return corrupted(new Damage(`session ${sessionId}`, problem), location, sessionId);
  }
  if (message.includes("OOM command not allowed")) {
    const advice = `${location} has no memory left (maxmemory). Nothing was changed. Make room and try again.`;
    return SessionError.of("STORE_FULL", advice, { sessionId, cause });
  }
  const fields = { sessionId, cause, ...(PASSING.test(message) ? {} : { retryable: false as const }) };
  return SessionError.of("STORE_UNAVAILABLE", `${location}: ${adviceFor(message)}`, fields);
}

function isReply(error: Error): boolean {
  return error.name === "ReplyError";
}

function isFromServer(error: Error): boolean {
  const isOurs = error instanceof Unsent || error instanceof Unanswered;
  return (
    isOurs || !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
  );
}

/** Whether the server's user lacks a right. Servers say so in different words. */
export function isForbidden(message: string): boolean {
  return /NOPERM|The user executing the script|ACL failure in script/.test(message);
}

// Not as a whole URL: tools that print errors mask what looks like the password of one.
const WHERE_PASSWORD =
  "Give a password in the URL before the host, as :PASSWORD@ or USER:PASSWORD@, or as the option `password`.";

function adviceFor(message: string): string {
  if (isForbidden(message))
    return `this user may not use a command or key that the store needs. See the list in docs/guide/redis.md. The server says: ${message}`;
  if (NO_PASSWORD.test(message)) return `the server asks for a password. ${WHERE_PASSWORD}`;
  if (WRONG_PASSWORD.test(message))
    return `the server does not accept this user or password. ${WHERE_PASSWORD}`;
  if (NO_DATABASE.test(message))
    return "the server has no database with this number. Choose one that it has (`CONFIG GET databases`), or database 0 and a `prefix`.";
  if (CLUSTER_DATABASE.test(message))
    return "a Cluster has database 0 alone. Leave the number out, and open it with `cluster`.";
  if (NO_CLUSTER.test(message))
    return "the server is not part of a Cluster. Open it as a single server: `url`, or a URL that begins with redis://.";
  if (/WRONGTYPE/.test(message))
    return "a key of the store is of another type. Give the store a prefix of its own.";
  return `the server refused a command; see the cause. It says: ${message}`;
}

function unavailable(cause: Error, location: string, sessionId: string | undefined): SessionError {
  // ioredis writes as if it would try again. This call has ended.
  const problem = withoutUserInfo(cause.message)
    .replace(/ Retrying from scratch after \d+ ?ms\./, "")
    .trim();
  const message = `${location} does not answer: ${problem}. Nothing was changed. ${adviceForSilence(cause)}`;
  return SessionError.of("STORE_UNAVAILABLE", message, { sessionId, cause: safeCause(cause) });
}

function adviceForSilence({ message }: Error): string {
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return "Check the name of the host.";
  // What remains if one side uses TLS and the other does not.
  if (/there is no connection|ECONNRESET/.test(message))
    return "Check that the server runs, and whether it uses TLS (rediss://), and try again.";
  return "Check that the server runs, and try again.";
}

/** Of a commit that would have to write to a key of the index which another program has written over. */
export function unusableIndexKey(location: string, key: string, problem: string): SessionError {
  const message = `${location}: the index cannot be written: ${key} ${problem}. Nothing was changed. Rename or remove the key, then run \`sessions doctor --fix\`.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { retryable: false });
}

/** Of a call that was redirected on a connection that is not to a Cluster. */
export function partOfCluster(cause: unknown): SessionError {
  const message =
    "The server is a node of a Cluster. Nothing was changed. Open the store with `cluster: [{ host, port }]`.";
  return SessionError.of("STORE_UNAVAILABLE", message, { retryable: false, cause: safeCause(cause) });
}

/** Of a call whose partition was being moved to another node, or whose server ran a script, until its deadline. */
export function slotIsMoving(cause: unknown, waitedMs: number): SessionError {
  const message = `The server was busy for ${Math.round(waitedMs)} ms: it moves the slot of this partition to another node, or runs a script. Nothing was changed; try again. If it stays so, an interrupted reshard may be to blame: see \`redis-cli --cluster check\`.`;
  return SessionError.of("STORE_BUSY", message, { waitedMs, cause: safeCause(cause) });
}

function corrupted(error: Damage, store: string, sessionId: string | undefined): SessionError {
  const location = `${store}, ${error.location}`;
  return SessionError.of(
    "SESSION_CORRUPTED",
    `${location}: ${error.message}. Nothing was changed. Keep the keys, and restore the session from a backup.`,
    { sessionId, location, cause: error },
  );
}

export function outcomeUnknown(commitId: string, sessionId: string, cause: unknown): SessionError {
  const message = `It is not known whether commit "${commitId}" was applied. The same call with this commitId is safe and tells.`;
  return SessionError.of("OUTCOME_UNKNOWN", message, { commitId, sessionId, cause: safeCause(cause) });
}

export function tooBusy(sessionId: string, waitedMs: number): SessionError {
  const message = `Others changed session "${sessionId}" for ${Math.round(waitedMs)} ms without a break. Nothing was changed; try again.`;
  return SessionError.of("STORE_BUSY", message, { sessionId, waitedMs });
}

export function newerFormat(found: number): SessionError {
  const message = `The data has format ${found}; this package knows ${FORMAT_VERSION}. Update @sessions/redis to use it.`;
  return SessionError.of("FORMAT_UNSUPPORTED", message, { found, supported: FORMAT_VERSION });
}

/** Written by a version of this package from before its first release. */
export function olderFormat(found: number, location: string): SessionError {
  const message = `${location} holds data of format ${found}, which was never released; this package reads format ${FORMAT_VERSION}. Export its sessions with the version that wrote it, and import them under another prefix.`;
  return SessionError.of("FORMAT_UNSUPPORTED", message, { found, supported: FORMAT_VERSION });
}

/** Throws if something is marked with a format that is newer than this package knows. */
export function refuseNewer(format: unknown): void {
  const found = Number(format ?? 0);
  if (found > FORMAT_VERSION) throw newerFormat(found);
}

/** What was acknowledged is not there any more. */
export function dataLost(sessionId: string, expected: number, actual: number): SessionError {
  const message = `The server acknowledged revision ${expected} of session "${sessionId}" and has lost it (it is at ${actual}): it was restarted or failed over without all of its data, or its keys were evicted or deleted. See describe() for what its settings promise.`;
  return SessionError.of("DATA_LOST", message, { sessionId, expected, actual });
}

/** A part of the index is gone or changed: what it would say is not true. The sessions themselves may be whole. */
export function damagedIndex(location: string, tag: string, problem: string): SessionError {
  const message = `${location}: the index of partition ${tag} is damaged: ${problem}. Nothing was changed. Run \`sessions doctor --fix\`, which builds it anew from the sessions.`;
  return SessionError.of("DATA_LOST", message, {});
}

export function foreignKey(key: string): string {
  return `${key} holds another type of value, written by another program`;
}

/** A field of a session's keys that a script cannot read. */
export function unreadableField(key: unknown, field: unknown): Damage {
  return new Damage(`field ${String(field)} of ${String(key)}`, "cannot be read");
}

/** Nothing of a session is there but its entry in one set of the index. */
export function lostBesideIndex(location: string, sessionId: string, key: string): SessionError {
  const message = `${location}: session "${sessionId}" is gone, and ${key} still has it: its keys were evicted or deleted. Nothing was changed. Run \`doctor --fix\`, which names what is lost, and restore the session from a backup.`;
  return SessionError.of("DATA_LOST", message, { sessionId });
}
