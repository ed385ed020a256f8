import { type OperationInput, type SessionSummary, set } from "@sessions/protocol";

/** The metadata key that names a cut-off turn which was kept: it is not reported again. */
export const KEPT_KEY = "agent.kept";

export function wasKept(session: Pick<SessionSummary, "metadata">, turnId: string): boolean {
  return session.metadata[KEPT_KEY] === turnId;
}

export function recordKept(turnId: string): OperationInput {
  return set({ metadata: { [KEPT_KEY]: turnId } });
}

export function forgetKept(): OperationInput {
  return set({ metadata: { [KEPT_KEY]: null } });
}
