import { append, interruptTurn, type Message, type OperationInput, type Session } from "@sessions/protocol";
import { turnIdOf } from "@sessions/turn-runner";
import { destroys, isDealtWith, isOpen, markMetadata, settles } from "../conversation/settled-mark.js";
import { labelling } from "../keys/conversation-labels.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { TAIL } from "../turn/begin-update.js";
import type { NamedMessage } from "../turn/update-message.js";
import { archiveIn, resetOperations } from "./reset-operations.js";

/** A reset by hand. */
export interface ResetByHand {
  readonly sessionId: string;
  readonly destroy: boolean;
  /** The message that asked for it. It is archived with the rest, so that it is known when it is delivered again. */
  readonly command?: NamedMessage | undefined;
  /** How long `onSessionEnd` may take. */
  readonly signal: AbortSignal;
}

/**
 * Ends a conversation at once, in one commit: the running turn ends and can write nothing more, its question is settled,
 * and all messages leave the live view. Other questions without an answer stay open: whoever waits with one asks it again
 * in the new conversation. `undefined` if there was nothing to end.
 */
export async function resetConversation(
  settings: Settings,
  byHand: ResetByHand,
): Promise<{ readonly revision: number } | undefined> {
  const { store, hooks } = settings;
  const { sessionId, destroy, signal } = byHand;
  let ops: readonly OperationInput[] = [];
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    ops = operations(settings, byHand, session);
    return ops;
  };
  const messages = destroy ? "all" : TAIL;
  const { revision } = await patiently(settings, (options) =>
    store.updateSession(sessionId, compute, { ...options, messages }),
  );
  if (ops.length === 0) return undefined;
  const archiveId = destroy ? undefined : archiveIn(ops);
  const place = archiveId === undefined ? {} : { archiveId };
  await hooks.ended({ sessionId, reason: "command", ...place }, signal);
  return { revision };
}

function operations(
  { keys, newId }: Settings,
  { destroy, command }: ResetByHand,
  session: Session | undefined,
): readonly OperationInput[] {
  const { messages = [], archives = [], metadata = {} } = session ?? {};
  if (messages.length === 0 && command === undefined) return [];
  const isCut = (one: Message): boolean => isOpen(one) && turnIdOf(one) === session?.turn?.turnId;
  const cut = messages.filter(isCut);
  const destroyed = destroy ? messages.filter((one) => !isCut(one)) : [];
  const kept = destroy ? messages.filter((one) => isCut(one) || isDealtWith(one)) : messages;
  const through = command?.id ?? kept.at(-1)?.id;
  return [
    interruptTurn({ force: true }),
    ...cut.map((one) => superseded(one, destroy)),
    ...(command === undefined ? [] : [append(command), ...labelling(session, keys)]),
    ...resetOperations({ archives, metadata }, { through, destroyed, newId }),
  ];
}

function superseded(question: Message, destroy: boolean): OperationInput {
  const turnId = turnIdOf(question) ?? question.id;
  const mark = { outcome: "superseded", turnId, replyIds: [] } as const;
  return destroy ? destroys(question, mark) : settles(question.id, mark);
}

/** A command, marked as what it was. */
export function asReset(message: NamedMessage): NamedMessage {
  const metadata = typeof message.metadata === "object" ? message.metadata : {};
  const mark = markMetadata({ outcome: "reset", turnId: message.id, replyIds: [] });
  return { ...message, metadata: { ...metadata, ...mark } };
}
