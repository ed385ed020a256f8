import type { SessionSummary } from "../session/session.js";

/** A session with its forks and their forks. */
export interface SessionTree {
  readonly session: SessionSummary;
  readonly children: SessionTree[];
}
