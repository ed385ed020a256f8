import { decodeCursor, encodeCursor, SessionError } from "@sessions/protocol/backend";

/** The cursor of a change: its time. What has changed at that time or later may be new to who has it. */
export function changeCursor(at: number): string {
  return encodeCursor({ changedAt: at });
}

export function readChangeCursor(cursor: string): number {
  const value: unknown = decodeCursor(cursor, "target.since");
  const hasTime = typeof value === "object" && value !== null && "changedAt" in value;
  if (hasTime && typeof value.changedAt === "number") return value.changedAt;
  throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
    path: "target.since",
  });
}
