import { isPrompt, turnIdOf } from "@sessions/managed-agent/building-blocks";
import { append, interruptTurn, type OperationInput, type Session, set } from "@sessions/protocol";
import { markMetadata, markOf, settles } from "../conversation/prompt-mark.js";
import type { Settings } from "../settings.js";
import { TAIL } from "../turn/begin-update.js";
import { labelsOf } from "../turn/labels.js";
import type { NamedMessage } from "../turn/prompt.js";
import { archiveIn, resetOperations } from "./reset-operations.js";

/** A reset by hand. */
export interface ResetByHand {
  readonly sessionId: string;
  readonly destroy: boolean;
  /** The message that asked for it. It is archived with the rest, so that it is known when it is delivered again. */
  readonly command?: NamedMessage | undefined;
}

/**
 * Ends a conversation at once, in one commit: the running turn ends and can write nothing more, the questions that had
 * no answer yet are settled, and all messages leave the live view. `undefined` if there was nothing to end.
 */
export async function resetConversation(
  settings: Settings,
  byHand: ResetByHand,
): Promise<{ readonly revision: number } | undefined> {
  const { store, hooks } = settings;
  const { sessionId, destroy } = byHand;
  let ops: readonly OperationInput[] = [];
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    ops = operations(settings, byHand, session);
    return ops;
  };
  const { revision } = await store.updateSession(sessionId, compute, { messages: destroy ? "all" : TAIL });
  if (ops.length === 0) return undefined;
  const archiveId = archiveIn(ops);
  await hooks.ended({ sessionId, reason: "command", ...(archiveId === undefined ? {} : { archiveId }) });
  return { revision };
}

function operations(
  { keys, newId }: Settings,
  { destroy, command }: ResetByHand,
  session: Session | undefined,
): readonly OperationInput[] {
  const { messages = [], archives = [], metadata = {} } = session ?? {};
  const through = command?.id ?? (destroy ? undefined : messages.at(-1)?.id);
  if (messages.length === 0 && command === undefined) return [];
  const open = destroy ? [] : messages.filter((one) => isPrompt(one) && markOf(one) === undefined);
  const destroyed = destroy ? messages.map(({ id }) => id) : [];
  return [
    interruptTurn({ force: true }),
    ...open.map((one) =>
      settles(one.id, { outcome: "superseded", turnId: turnIdOf(one) ?? one.id, replyIds: [] }),
    ),
    ...(command === undefined ? [] : [append(command), set({ labels: labelsOf(keys) })]),
    ...resetOperations({ archives, metadata }, { through, destroyed, newId }),
  ];
}

/** A command, marked as what it was. */
export function asReset(message: NamedMessage): NamedMessage {
  const metadata = typeof message.metadata === "object" ? message.metadata : {};
  const mark = markMetadata({ outcome: "reset", turnId: message.id, replyIds: [] });
  return { ...message, metadata: { ...metadata, ...mark } };
}
