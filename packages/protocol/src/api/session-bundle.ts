import type { SessionDocument } from "../session/session-document.js";

/** One session as one portable JSON document. */
export interface SessionBundle {
  readonly format: "sessions-bundle";
  readonly version: 1;
  readonly sessionId: string;
  readonly session: SessionDocument;
}
