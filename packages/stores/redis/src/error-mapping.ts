import { Damage, SessionError } from "@sessions/protocol/backend";
import { FORMAT_VERSION } from "./format-version.js";
import { safeCause, withoutUserInfo } from "./safe-cause.js";
import { isWrongType } from "./wrong-type.js";

/** No answer came in time, or the connection went away: it may have been done or not. */
export class Unanswered extends Error {}

/** It was done, and too few replicas have confirmed it: a failover may undo it. */
export class Unconfirmed extends Error {}

/** There was no connection: nothing was sent. */
export class Unsent extends Error {}

/** What an error of a call means: whether it was done, and whether to try again. */
export type Failure = "unsent" | "unanswered" | "again" | "refused";

const LATER =
  /\b(LOADING|TRYAGAIN|CLUSTERDOWN|READONLY|MASTERDOWN|NOREPLICAS|MOVED|ASK)\b|^BUSY |Too many Cluster redirections/;
/**
 * Refusals that end by themselves: its disk is full, or too many clients are connected. Every other one is the same the next time: a
 * missing right, a wrong password, a command or a script that the server cannot run.
 */
const PASSING = /\bMISCONF\b|max number of clients/;
const UNAUTHORIZED = /NOAUTH|WRONGPASS|invalid password|invalid username/;
const NOT_SENT = /isn't writeable|Cluster isn't ready/;

export function failureOf(error: unknown): Failure {
  if (error instanceof Unsent) return "unsent";
  if (!(error instanceof Error) || error instanceof Unanswered) return "unanswered";
  if (LATER.test(error.message)) return "again";
  if (NOT_SENT.test(error.message)) return "unsent";
  return error.name === "ReplyError" ? "refused" : "unanswered";
}

/** What went wrong, as callers see it. */
export function asSessionError(error: unknown, location: string, sessionId?: string): unknown {
  if (SessionError.is(error)) return error;
  if (error instanceof Damage) return corrupted(error, location, sessionId);
  if (!(error instanceof Error)) return error;
  const refusal = error instanceof Unsent && isUnauthorized(error) ? error.cause : error;
  if (failureOf(refusal) !== "refused" || !(refusal instanceof Error))
    return isFromServer(error) ? unavailable(error, location, sessionId) : error;
  return refused(refusal, location, sessionId);
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

/** Whether the connection was refused for good, by the server that it was made to. */
function isUnauthorized({ cause }: Error): boolean {
  return cause instanceof Error && cause.name === "ReplyError" && UNAUTHORIZED.test(cause.message);
}

function adviceFor(message: string): string {
  if (isForbidden(message))
    return `this user may not use a command or key that the store needs. See the list in docs/guide/redis.md. The server says: ${message}`;
  if (UNAUTHORIZED.test(message))
    return "the server does not accept the user or password. Check the URL or the options.";
  if (/WRONGTYPE/.test(message))
    return "a key of the store is of another type. Give the store a prefix of its own.";
  return `the server refused a command; see the cause. It says: ${message}`;
}

function unavailable(cause: Error, location: string, sessionId: string | undefined): SessionError {
  const problem = withoutUserInfo(cause.message);
  const message = `${location} does not answer: ${problem}. Nothing was changed. Check that the server runs, and try again.`;
  return SessionError.of("STORE_UNAVAILABLE", message, { sessionId, cause: safeCause(cause) });
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

/** Throws if something is marked with a format that is newer than this package knows. */
export function refuseNewer(format: unknown): void {
  const found = Number(format ?? 0);
  if (found > FORMAT_VERSION) throw newerFormat(found);
}

/** What was acknowledged is not there any more. */
export function dataLost(sessionId: string, expected: number, actual: number): SessionError {
  const message = `The server acknowledged revision ${expected} of session "${sessionId}" and has lost it (it is at ${actual}): it was restarted or failed over without all of its data. See describe() for what its settings promise.`;
  return SessionError.of("DATA_LOST", message, { sessionId, expected, actual });
}
