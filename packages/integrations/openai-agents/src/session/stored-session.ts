import type {
  AgentInputItem,
  RunContext,
  SessionHistoryRewriteArgs,
  SessionHistoryTransaction,
  SessionHistoryTransactionArgs,
} from "@openai/agents";
import {
  append,
  type Json,
  type JsonObject,
  jsonify,
  type Message,
  type OperationInput,
  remove,
  resultsAfterCalls,
  type Session,
  SessionError,
  type SessionStore,
  splice,
} from "@sessions/protocol";
import { tellBytes } from "../items/binary-fields.js";
import { type ItemMessage, itemsOf, messageOf } from "../items/item-message.js";
import { retryCall } from "../retry-call.js";
import { archived } from "./archive-messages.js";
import { mutated } from "./history-mutations.js";
import {
  areHeld,
  messagesOfOperation,
  type OperationMessage,
  requireTransaction,
  suffixChanged,
  suffixReplaced,
} from "./history-transaction.js";
import { importHistory } from "./import-history.js";
import { cutsPair, withoutLastItem } from "./last-item.js";
import { Runs } from "./run-views.js";
import type { OpenAISession, OpenAISessionOptions } from "./session.js";

const FIRST_LOOK = 8;
const COMPACTED = "Compacted by the model: what it kept of this is the compaction item that follows.";
const CLEARED = "Cleared: whatever counts of this was written anew.";

/** The one implementation of `OpenAISession`. It remembers whether the import is done, and what runs have looked at. */
export class StoredSession<TContext> implements OpenAISession<TContext> {
  readonly acceptsRunContext = true;
  readonly #store: SessionStore;
  readonly #sessionId: string;
  readonly #options: OpenAISessionOptions<TContext>;
  readonly #runs = new Runs();
  #importing: Promise<void> | undefined;

  constructor(store: SessionStore, sessionId: string, options: OpenAISessionOptions<TContext>) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#options = options;
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  /** What is stored is what the provider gave: a run that must not replay these ids leaves them out by itself. */
  preserveReasoningItemIdsForPersistence(): boolean {
    return true;
  }

  async getItems(limit?: number, context?: RunContext<TContext>): Promise<AgentInputItem[]> {
    await this.#imported();
    const wanted = limit === undefined ? Number.POSITIVE_INFINITY : Math.floor(limit);
    if (!(wanted > 0)) return [];
    const messages = await this.#messagesWith(wanted);
    this.#runs.looked(context, messages);
    return resultsAfterCalls(messages).flatMap(itemsOf).slice(-wanted);
  }

  /** The last messages, as many as it takes for so many items: one of another making may hold several, or none. */
  async #messagesWith(wanted: number): Promise<readonly Message[]> {
    if (wanted === Number.POSITIVE_INFINITY) return (await this.#read("all"))?.messages ?? [];
    for (let last = wanted; ; last *= 2) {
      const { messages = [], messageCount = 0 } = (await this.#read({ last })) ?? {};
      const isEnough = messages.flatMap(itemsOf).length >= wanted && !cutsPair(messages);
      if (messageCount <= last || isEnough) return messages;
    }
  }

  async addItems(items: AgentInputItem[], context?: RunContext<TContext>): Promise<void> {
    requireItems(items);
    await this.#imported();
    if (items.length === 0) return;
    // By their ids they are added once, however often they are sent; a commit id for each would be remembered for a day.
    const messages = items.map((item) => ({
      ...this.#message(item, context),
      id: globalThis.crypto.randomUUID(),
    }));
    await retryCall(() => this.#store.addMessage(this.#sessionId, messages));
    this.#added({ messages }, context);
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    await this.#imported();
    for (let last = FIRST_LOOK; ; last *= 4) {
      let popped: AgentInputItem | undefined;
      let isAll = true;
      await this.#update({ last }, ({ messages, messageCount }) => {
        isAll = messageCount <= last;
        const [ops, item] = isAll || !cutsPair(messages) ? withoutLastItem(messages) : [[], undefined];
        popped = item;
        return ops;
      });
      if (popped !== undefined || isAll) return popped;
    }
  }

  async clearSession(): Promise<void> {
    await this.#imported();
    if (this.#options.onClear === "archive") return this.#archiveAll();
    await this.#update("none", ({ messageCount }) => (messageCount === 0 ? [] : [splice(0)]));
  }

  async applyHistoryMutations(args: SessionHistoryRewriteArgs): Promise<void> {
    const { mutations } = requireMutations(args);
    await this.#imported();
    if (mutations.length > 0) await this.#update("all", ({ messages }) => mutated(messages, mutations));
  }

  /**
   * What was replaced is not lost: it becomes an archive of the session, in the same commit. What others have added since
   * the run began is in no compaction: it stays, behind what the model kept.
   */
  async replaceHistoryWithCompaction(items: AgentInputItem[], context?: RunContext<TContext>): Promise<void> {
    requireItems(items);
    await this.#imported();
    const messages = items.map((item) => this.#message(item, context));
    const archiveId = `compacted-${globalThis.crypto.randomUUID()}`;
    let unseen: readonly Message[] = [];
    const compute = (session: Session | undefined): readonly OperationInput[] => {
      const live = session?.messages ?? [];
      unseen = this.#runs.unseen(context, live);
      const seen = live.filter((message) => !unseen.includes(message));
      const aside = unseen.length === 0 ? [] : [remove(unseen.map(({ id }) => id))];
      return [...aside, ...archived(seen, archiveId, COMPACTED), append([...messages, ...unseen])];
    };
    const replaced = await retryCall((options) =>
      this.#store.updateSession(this.#sessionId, compute, { ...options, messages: "all" }),
    );
    const isUnseen = (message: Message): boolean => unseen.some(({ id }) => id === message.id);
    this.#added({ messages: replaced.messages.filter((message) => !isUnseen(message)) }, context);
  }

  async applyHistoryTransaction(
    args: SessionHistoryTransactionArgs,
    context?: RunContext<TContext>,
  ): Promise<void> {
    const { operationId, transaction } = requireTransaction(args);
    await this.#imported();
    const isAppend = transaction.type === "append_items";
    const messages = messagesOfOperation(
      operationId,
      isAppend ? transaction.items : transaction.replacement,
      (item) => this.#message(item, context),
    );
    // The window of commit ids is asked before anything is looked at: a repeat changes nothing, whatever came after it.
    const named = { commitId: `openai-agents:${operationId}`, fingerprint: fingerprintOf(transaction) };
    if (isAppend) await this.#appendOnce(messages, named);
    else await this.#replaceSuffix(transaction.expectedSuffix, messages, named);
    this.#added({ messages }, context);
  }

  #added(
    { messages }: { readonly messages: readonly { readonly id: string }[] },
    context: RunContext<TContext> | undefined,
  ): void {
    this.#runs.added(
      context,
      messages.map(({ id }) => id),
    );
  }

  async #archiveAll(): Promise<void> {
    const archiveId = `cleared-${globalThis.crypto.randomUUID()}`;
    await this.#update({ last: 1 }, ({ messages }) => archived(messages, archiveId, CLEARED));
  }

  async #appendOnce(messages: readonly OperationMessage[], named: Named): Promise<void> {
    await retryCall((options) => this.#store.addMessage(this.#sessionId, messages, { ...options, ...named }));
  }

  async #replaceSuffix(
    expected: readonly AgentInputItem[],
    replacement: readonly OperationMessage[],
    named: Named,
  ): Promise<void> {
    const compute = (session: Session | undefined): readonly OperationInput[] => {
      const ops = suffixReplaced(session?.messages ?? [], expected, replacement);
      if (ops === undefined) throw suffixChanged(this.#sessionId);
      return ops;
    };
    const messages = expected.length === 0 ? "none" : { last: expected.length };
    try {
      await retryCall((options) =>
        this.#store.updateSession(this.#sessionId, compute, { ...options, ...named, messages }),
      );
    } catch (error) {
      if (!SessionError.is(error, "INVALID_ARGUMENT") || !(await this.#holds(replacement))) throw error;
    }
  }

  async #holds(messages: readonly OperationMessage[]): Promise<boolean> {
    const ids = messages.map(({ id }) => id);
    const held = await retryCall(() => this.#store.getMessages(this.#sessionId, ids));
    return areHeld(held, messages);
  }

  #message(item: AgentInputItem, context: RunContext<TContext> | undefined): ItemMessage {
    return messageOf(item, context === undefined ? undefined : this.#metadata(context.context));
  }

  #metadata(context: TContext): JsonObject | undefined {
    const metadata = this.#options.metadata?.(context);
    if (!(metadata instanceof Promise)) return metadata;
    void Promise.allSettled([metadata]); // nobody else waits for it, and a rejection would end the process
    throw invalid("options.metadata", "must return an object, not a promise of one.");
  }

  /** A computed change of a session that is there; one that is not has nothing to change. */
  async #update(messages: Selected, compute: (session: Session) => readonly OperationInput[]): Promise<void> {
    await retryCall((options) =>
      this.#store.updateSession(
        this.#sessionId,
        (session) => (session === undefined ? [] : compute(session)),
        { ...options, messages },
      ),
    );
  }

  #read(messages: Selected): Promise<Session | undefined> {
    return retryCall(() => this.#store.getSession(this.#sessionId, { messages }));
  }

  /** Resolves when the earlier session's items are here. One that failed is tried again by the next call. */
  async #imported(): Promise<void> {
    const { importFrom } = this.#options;
    if (importFrom === undefined) return;
    this.#importing ??= importHistory(this.#store, this.#sessionId, importFrom);
    try {
      await this.#importing;
    } catch (error) {
      this.#importing = undefined;
      throw error;
    }
  }
}

// The SDK calls these, and so may callers without types.
function requireItems(items: unknown): void {
  if (!Array.isArray(items)) throw invalid("items", "must be an array of items.");
}

function requireMutations(args: SessionHistoryRewriteArgs): SessionHistoryRewriteArgs {
  const given: unknown = args;
  if (typeof given === "object" && given !== null && "mutations" in given && Array.isArray(given.mutations))
    return args;
  throw invalid("args.mutations", "must be an array of mutations.");
}

function invalid(path: string, problem: string): SessionError {
  return SessionError.of("INVALID_ARGUMENT", `${path} ${problem}`, { path });
}

type Selected = "all" | "none" | { readonly last: number };

/** What makes an operation the same when it comes again. */
interface Named {
  readonly commitId: string;
  readonly fingerprint: Json;
}

function fingerprintOf(transaction: SessionHistoryTransaction): Json {
  return jsonify(tellBytes(transaction));
}
