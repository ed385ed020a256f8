import type { StoreTools } from "@sessions/config";
import { type Finding, SessionError, type SessionStore } from "@sessions/protocol";
import { allSessions, isDamage } from "../sessions/all-sessions.js";

/** The result of examining one session. */
export interface Examined {
  /** Absent if the id cannot be read either. */
  readonly sessionId?: string;
  readonly place?: string;
  readonly status: "sound" | "benign" | "damaged";
  readonly findings: readonly Finding[];
  /** The number of messages that can be read. */
  readonly messages: number;
}

/** Reads and verifies every session, including damaged ones that no listing has. Changes nothing. */
export async function* examineAll(
  store: SessionStore,
  { suspects }: StoreTools,
  signal: AbortSignal,
): AsyncGenerator<Examined> {
  if (suspects === undefined) {
    for await (const { id } of allSessions(store, signal)) yield* examined(store, id);
    return;
  }
  for await (const { sessionId, place } of suspects()) {
    signal.throwIfAborted();
    if (sessionId !== undefined) yield* examined(store, sessionId, place);
    else
      yield {
        place,
        status: "damaged",
        messages: 0,
        findings: [{ severity: "harmful", detail: "the id of its session cannot be read", location: place }],
      };
  }
}

async function* examined(store: SessionStore, sessionId: string, place?: string): AsyncGenerator<Examined> {
  const about = { sessionId, ...(place === undefined ? {} : { place }) };
  try {
    const { ok, findings, messages } = await store.verify(sessionId);
    const status = ok ? (findings.length === 0 ? "sound" : "benign") : "damaged";
    yield { ...about, status, findings, messages };
  } catch (error) {
    if (SessionError.is(error, "SESSION_NOT_FOUND")) return; // deleted: a tombstone is no session
    if (!isDamage(error)) throw error;
    // A part of the index is gone, which is named as a problem of its own. Nobody can tell about its sessions before that is built anew.
    if (error.code === "DATA_LOST" && error.sessionId === undefined) return;
    const location =
      SessionError.is(error, "SESSION_CORRUPTED") && error.location !== undefined
        ? { location: error.location }
        : {};
    yield {
      ...about,
      status: "damaged",
      messages: 0,
      findings: [{ severity: "harmful", detail: error.message, ...location }],
    };
  }
}
