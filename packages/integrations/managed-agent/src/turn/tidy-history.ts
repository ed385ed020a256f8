import {
  type Message,
  type OperationInput,
  type Session,
  type SessionStore,
  set,
  splice,
  type Turn,
  unansweredCalls,
} from "@sessions/protocol";
import type { AgentConfig } from "../agent-config.js";
import { configChange, configOf, KEPT_KEY, wasKept } from "../session/agent-record.js";
import { isPrompt, turnIdOf } from "../session/turn-marks.js";
import { type Patience, savePatiently } from "./save-patiently.js";
import { type Entry, type Tidying, tidied } from "./tidied.js";

/** How many of the newest messages tell whether there is anything to tidy. */
export const TELLTALE: { readonly last: number } = { last: 64 };

/**
 * Puts in order what earlier turns left: one commit of the new turn, and none where all is well. If it is cut off as
 * well, the next turn finds the same and does the same.
 */
export async function tidyHistory(
  store: SessionStore,
  turn: Turn,
  session: Session,
  tidying: Tidying & { readonly config: AgentConfig },
  patience: Patience,
): Promise<void> {
  if (isTidy(session, turn.turnId)) return;
  const compute = (current: Session | undefined): readonly OperationInput[] =>
    current === undefined ? [] : changes(current, tidying);
  await savePatiently(patience, (options) =>
    store.updateSession(turn.sessionId, compute, { ...options, messages: "all", fence: turn.token }),
  );
}

/** Told from the newest messages alone. */
function isTidy(session: Session, turnId: string): boolean {
  if (configOf(session) === undefined || wasKept(session, turnId)) return false;
  const at = session.messages.findIndex((message) => turnIdOf(message) === turnId);
  const first = session.messages[at];
  const behind = session.messages.slice(at + 1);
  return (
    first !== undefined &&
    isPrompt(first) &&
    behind.every((message) => turnIdOf(message) === undefined) &&
    unansweredCalls(session.messages).length === 0
  );
}

function changes(
  session: Session,
  tidying: Tidying & { readonly config: AgentConfig },
): readonly OperationInput[] {
  return [
    ...respliced(session.messages, tidied(session.messages, tidying)),
    ...(configOf(session) === undefined ? [configChange(tidying.config, 1)] : []),
    ...(wasKept(session, tidying.turnId) ? [set({ metadata: { [KEPT_KEY]: null } })] : []),
  ];
}

/** What stands the same is kept, the rest is written anew. */
export function respliced(
  messages: readonly Message[],
  entries: readonly Entry[],
): readonly OperationInput[] {
  const changed = entries.findIndex((entry, index) => entry !== messages[index]);
  const kept = changed === -1 ? entries.length : changed;
  if (kept === messages.length && kept === entries.length) return [];
  return [splice(kept, entries.slice(kept).map(abandoned))];
}

// Whoever wrote it is gone: written back as it was read, it would look as if it were still growing.
function abandoned(entry: Entry): Entry {
  return entry.status === "partial" ? { ...entry, status: "interrupted" } : entry;
}
