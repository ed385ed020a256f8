import { append, interruptTurn, type Message, type OperationInput, type Session } from "@sessions/protocol";
import { leaseRetryPolicy, retry, turnIdOf } from "@sessions/turn-runner";
import { erase, isUnsettled, mustStayKnown, settle, settledMetadata } from "../conversation/settled-mark.js";
import { labelConversation } from "../keys/conversation-labels.js";
import type { Settings } from "../settings.js";
import { TAIL } from "../turn/begin-update.js";
import type { IdentifiedMessage } from "../turn/update-message.js";
import { archiveIn, resetOperations } from "./reset-operations.js";

/** A reset on request. */
export interface ResetRequest {
  readonly sessionId: string;
  readonly destroy: boolean;
  /** The message that asked for it. It is archived with the rest, so that it is recognized when it comes again. */
  readonly command?: IdentifiedMessage | undefined;
  /** Limits `onSessionEnd`. */
  readonly signal: AbortSignal;
}

/**
 * Ends a conversation at once, in one commit: the running turn ends and can write nothing more, its prompt is settled, and all
 * messages leave the live view. Other prompts without an answer stay unsettled: their callers ask them again in the new conversation.
 * `undefined` if there was nothing to end.
 */
export async function resetConversation(
  settings: Settings,
  request: ResetRequest,
): Promise<{ readonly revision: number } | undefined> {
  const { store, hooks } = settings;
  const { sessionId, destroy, signal } = request;
  let ops: readonly OperationInput[] = [];
  const compute = (session: Session | undefined): readonly OperationInput[] => {
    ops = operations(settings, request, session);
    return ops;
  };
  const messages = destroy ? "all" : TAIL;
  const { revision } = await retry(leaseRetryPolicy(settings), (options) =>
    store.updateSession(sessionId, compute, { ...options, messages }),
  );
  if (ops.length === 0) return undefined;
  const archiveId = destroy ? undefined : archiveIn(ops);
  const archived = archiveId === undefined ? {} : { archiveId };
  await hooks.ended({ sessionId, reason: "command", ...archived }, signal);
  return { revision };
}

function operations(
  { keys, newId }: Settings,
  { destroy, command }: ResetRequest,
  session: Session | undefined,
): readonly OperationInput[] {
  const { messages = [], archives = [], metadata = {} } = session ?? {};
  if (messages.length === 0 && command === undefined) return [];
  const isCutOff = (one: Message): boolean => isUnsettled(one) && turnIdOf(one) === session?.turn?.turnId;
  const cutOff = messages.filter(isCutOff);
  const destroyed = destroy ? messages.filter((one) => !isCutOff(one)) : [];
  const kept = destroy ? messages.filter((one) => isCutOff(one) || mustStayKnown(one)) : messages;
  const through = command?.id ?? kept.at(-1)?.id;
  return [
    interruptTurn({ force: true }),
    ...cutOff.map((one) => supersede(one, destroy)),
    ...(command === undefined ? [] : [append(command), ...labelConversation(session, keys)]),
    ...resetOperations({ archives, metadata }, { through, destroyed, newId }),
  ];
}

function supersede(prompt: Message, destroy: boolean): OperationInput {
  const turnId = turnIdOf(prompt) ?? prompt.id;
  const mark = { outcome: "superseded", turnId, replyIds: [] } as const;
  return destroy ? erase(prompt, mark) : settle(prompt.id, mark);
}

/** A command, marked as settled by a reset. */
export function settledCommand(message: IdentifiedMessage): IdentifiedMessage {
  const metadata = typeof message.metadata === "object" ? message.metadata : {};
  const mark = settledMetadata({ outcome: "reset", turnId: message.id, replyIds: [] });
  return { ...message, metadata: { ...metadata, ...mark } };
}
