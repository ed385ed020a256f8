import {
  append,
  type Message,
  type OperationInput,
  type Session,
  SessionError,
  type Turn,
  update,
} from "@sessions/protocol";
import { retry } from "@sessions/turn-runner";
import type { UIMessage } from "ai";
import { draftedMessage, emptyDraft, isDraft } from "../answer/answer-draft.js";
import { uiMessages } from "../load-chat.js";
import { settledParts } from "../messages/settled-parts.js";
import { marksOf, storedMessage } from "../messages/stored-message.js";
import { pageRetryPolicy } from "../page-retry-policy.js";
import type { Settings } from "../settings.js";
import type { ChatRequest } from "./chat-request.js";
import { type Answered, type Open, placement, requestName } from "./placement.js";

/** A question to store, and the id of its new answer. */
export interface Question {
  readonly turn: Turn;
  /** The session as it was when the turn began. */
  readonly session: Session;
  readonly request: ChatRequest;
  readonly newAnswerId: string;
}

/** A stored question whose answer can be written. */
export type StoredQuestion = Open & {
  /** The messages that `respond` gets. */
  readonly messages: UIMessage[];
};

/** Stores a question in its place, and the empty draft of its answer behind it; returns the answer if there is one already. */
export async function storeQuestion(
  settings: Settings,
  question: Question,
): Promise<Answered | StoredQuestion> {
  const { turn, request } = question;
  for (let session: Session | undefined = question.session; ; ) {
    const place = placement(session?.messages ?? [], request);
    if (place.status === "answered") return place;
    // Before the commit, because a history that cannot be read must not leave a draft without a writer.
    const messages = await uiMessages(place.history);
    try {
      await commit(settings, question, place, session?.revision ?? 0);
      return { ...place, messages };
    } catch (error) {
      if (!SessionError.is(error, "REVISION_CONFLICT")) throw error;
    }
    session = await retry(pageRetryPolicy(settings), () => settings.store.getSession(turn.sessionId));
  }
}

/**
 * One commit: the question, the draft of its answer, and drafts that dead processes left, as messages. Writers without a turn may still
 * append, so operations that remove messages hold only for the revision that they were computed from.
 */
async function commit(
  settings: Settings,
  { turn, request, newAnswerId }: Question,
  { ops, base, behind, history }: Open,
  revision: number,
): Promise<void> {
  const marks = { turnId: turn.turnId, asked: requestName(request) };
  const beginning = base === undefined ? undefined : storedMessage(base);
  const draft = emptyDraft(base?.id ?? newAnswerId, marks, beginning);
  const condition = ops.every(({ op }) => op === "append") ? {} : { ifRevision: revision };
  const send = (repairs: readonly OperationInput[]): Promise<unknown> =>
    retry(pageRetryPolicy(settings), (options) =>
      turn.commit([...ops, ...repairs, append([draft, ...behind])], { ...options, ...condition }),
    );
  const repairs = await Promise.all(history.filter(isDraft).map(settleDraft));
  try {
    await send(repairs);
  } catch (error) {
    if (repairs.length === 0 || !SessionError.is(error, "TOO_LARGE")) throw error;
    // A draft may have grown beyond the size of a message. It stays a draft, which can be read as well.
    await send([]);
  }
}

/** Turns the draft of a dead process into a message. */
async function settleDraft(message: Message): Promise<OperationInput> {
  const { turnId = "" } = marksOf(message);
  const settled = storedMessage(settledParts(await draftedMessage(message)), { turnId });
  return update({ ...settled, status: "interrupted" });
}
