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
import { ignoreRejection, invalid, retry } from "@sessions/turn-runner";
import { encodeBytes } from "../items/binary-fields.js";
import { type ItemMessage, itemsOf, messageOf } from "../items/item-message.js";
import { archiveMessages } from "./archive-messages.js";
import { mutateHistory } from "./history-mutations.js";
import {
  areStored,
  messagesOfOperation,
  type OperationMessage,
  replaceSuffix,
  requireTransaction,
  suffixChanged,
} from "./history-transaction.js";
import { importHistory } from "./import-history.js";
import { hasResultWithoutCall, removeLastItem } from "./last-item.js";
import { RunViews } from "./run-views.js";
import type { OpenAISession, OpenAISessionOptions } from "./session.js";
import { SESSION_RETRY_POLICY } from "./session-retry-policy.js";

/** How many messages `popItem` reads first. */
const FIRST_READ_MESSAGES = 8;
const COMPACTED = "Compacted by the model: what it kept of this is the compaction item that follows.";
const CLEARED = "Cleared: whatever counts of this was written anew.";

/** The one implementation of `OpenAISession`. Its only state is whether the import is done, and what the runs of this process have seen. */
export class StoredSession<TContext> implements OpenAISession<TContext> {
  readonly acceptsRunContext = true;
  readonly #store: SessionStore;
  readonly #sessionId: string;
  readonly #options: OpenAISessionOptions<TContext>;
  readonly #views = new RunViews();
  #importing: Promise<void> | undefined;

  constructor(store: SessionStore, sessionId: string, options: OpenAISessionOptions<TContext>) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#options = options;
  }

  async getSessionId(): Promise<string> {
    return this.#sessionId;
  }

  /** Items are stored as the provider sent them. A run that must not send these ids again leaves them out itself. */
  preserveReasoningItemIdsForPersistence(): boolean {
    return true;
  }

  async getItems(limit?: number, context?: RunContext<TContext>): Promise<AgentInputItem[]> {
    await this.#imported();
    const wanted = limit === undefined ? Number.POSITIVE_INFINITY : Math.floor(limit);
    if (!(wanted > 0)) return [];
    const messages = await this.#messagesWith(wanted);
    this.#views.noteRead(context, messages);
    return resultsAfterCalls(messages).flatMap(itemsOf).slice(-wanted);
  }

  /** As many of the last messages as have `wanted` items: one that the SDK did not write may have several, or none. */
  async #messagesWith(wanted: number): Promise<readonly Message[]> {
    if (wanted === Number.POSITIVE_INFINITY) return (await this.#read("all"))?.messages ?? [];
    for (let last = wanted; ; last *= 2) {
      const { messages = [], messageCount = 0 } = (await this.#read({ last })) ?? {};
      const isEnough = messages.flatMap(itemsOf).length >= wanted && !hasResultWithoutCall(messages);
      if (messageCount <= last || isEnough) return messages;
    }
  }

  async addItems(items: AgentInputItem[], context?: RunContext<TContext>): Promise<void> {
    requireItems(items);
    await this.#imported();
    if (items.length === 0) return;
    // Their ids make a repeat harmless. A commit id would do so too, but the store would have to remember each one for a day.
    const messages = items.map((item) => ({
      ...this.#message(item, context),
      id: globalThis.crypto.randomUUID(),
    }));
    await retry(SESSION_RETRY_POLICY, () => this.#store.addMessage(this.#sessionId, messages));
    this.#views.noteAdded(context, messages);
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    await this.#imported();
    for (let last = FIRST_READ_MESSAGES; ; last *= 4) {
      let popped: AgentInputItem | undefined;
      let isAll = true;
      await this.#update({ last }, ({ messages, messageCount }) => {
        isAll = messageCount <= last;
        const [ops, item] =
          isAll || !hasResultWithoutCall(messages) ? removeLastItem(messages) : [[], undefined];
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
    if (mutations.length > 0) await this.#update("all", ({ messages }) => mutateHistory(messages, mutations));
  }

  /**
   * The replaced items become an archive of the session, in the same commit. Messages that others have added since the run began are not
   * part of the compaction: they stay, behind the new items.
   */
  async replaceHistoryWithCompaction(items: AgentInputItem[], context?: RunContext<TContext>): Promise<void> {
    requireItems(items);
    await this.#imported();
    const messages = items.map((item) => this.#message(item, context));
    const archiveId = `compacted-${globalThis.crypto.randomUUID()}`;
    let unseen: readonly Message[] = [];
    const compute = (session: Session | undefined): readonly OperationInput[] => {
      const live = session?.messages ?? [];
      unseen = this.#views.unseen(context, live);
      const seen = live.filter((message) => !unseen.includes(message));
      const removed = unseen.length === 0 ? [] : [remove(unseen.map(({ id }) => id))];
      return [...removed, ...archiveMessages(seen, archiveId, COMPACTED), append([...messages, ...unseen])];
    };
    const replaced = await retry(SESSION_RETRY_POLICY, (options) =>
      this.#store.updateSession(this.#sessionId, compute, { ...options, messages: "all" }),
    );
    const isUnseen = (message: Message): boolean => unseen.some(({ id }) => id === message.id);
    this.#views.noteAdded(
      context,
      replaced.messages.filter((message) => !isUnseen(message)),
    );
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
    // The store checks the commit id before it runs `compute`: a repeat changes nothing, whatever was written since.
    const key = { commitId: `openai-agents:${operationId}`, fingerprint: fingerprintOf(transaction) };
    if (isAppend) await this.#appendOnce(messages, key);
    else await this.#replaceSuffix(transaction.expectedSuffix, messages, key);
    this.#views.noteAdded(context, messages);
  }

  async #archiveAll(): Promise<void> {
    const archiveId = `cleared-${globalThis.crypto.randomUUID()}`;
    await this.#update({ last: 1 }, ({ messages }) => archiveMessages(messages, archiveId, CLEARED));
  }

  async #appendOnce(messages: readonly OperationMessage[], key: OperationKey): Promise<void> {
    await retry(SESSION_RETRY_POLICY, (options) =>
      this.#store.addMessage(this.#sessionId, messages, { ...options, ...key }),
    );
  }

  async #replaceSuffix(
    expected: readonly AgentInputItem[],
    replacement: readonly OperationMessage[],
    key: OperationKey,
  ): Promise<void> {
    const compute = (session: Session | undefined): readonly OperationInput[] => {
      const ops = replaceSuffix(session?.messages ?? [], expected, replacement);
      if (ops === undefined) throw suffixChanged(this.#sessionId);
      return ops;
    };
    const messages = expected.length === 0 ? "none" : { last: expected.length };
    try {
      await retry(SESSION_RETRY_POLICY, (options) =>
        this.#store.updateSession(this.#sessionId, compute, { ...options, ...key, messages }),
      );
    } catch (error) {
      if (!SessionError.is(error, "INVALID_ARGUMENT") || !(await this.#hasStored(replacement))) throw error;
    }
  }

  async #hasStored(messages: readonly OperationMessage[]): Promise<boolean> {
    const ids = messages.map(({ id }) => id);
    const stored = await retry(SESSION_RETRY_POLICY, () => this.#store.getMessages(this.#sessionId, ids));
    return areStored(stored, messages);
  }

  #message(item: AgentInputItem, context: RunContext<TContext> | undefined): ItemMessage {
    return messageOf(item, context === undefined ? undefined : this.#metadata(context.context));
  }

  #metadata(context: TContext): JsonObject | undefined {
    const metadata = this.#options.metadata?.(context);
    if (!(metadata instanceof Promise)) return metadata;
    ignoreRejection(metadata);
    throw invalid("options.metadata", "must return an object, not a promise of one.");
  }

  /** Changes a session; one that does not exist has nothing to change. */
  async #update(messages: Selected, compute: (session: Session) => readonly OperationInput[]): Promise<void> {
    await retry(SESSION_RETRY_POLICY, (options) =>
      this.#store.updateSession(
        this.#sessionId,
        (session) => (session === undefined ? [] : compute(session)),
        { ...options, messages },
      ),
    );
  }

  #read(messages: Selected): Promise<Session | undefined> {
    return retry(SESSION_RETRY_POLICY, () => this.#store.getSession(this.#sessionId, { messages }));
  }

  /** Resolves when the items of the earlier session are imported. The next call tries a failed import again. */
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

// The arguments come from the SDK, or from callers without types.
function requireItems(items: unknown): void {
  if (!Array.isArray(items)) throw invalid("items", "must be an array of items.");
}

function requireMutations(args: SessionHistoryRewriteArgs): SessionHistoryRewriteArgs {
  const given: unknown = args;
  if (typeof given === "object" && given !== null && "mutations" in given && Array.isArray(given.mutations))
    return args;
  throw invalid("args.mutations", "must be an array of mutations.");
}

type Selected = "all" | "none" | { readonly last: number };

/** Identifies an operation, so that a repeat is recognized. */
interface OperationKey {
  readonly commitId: string;
  readonly fingerprint: Json;
}

function fingerprintOf(transaction: SessionHistoryTransaction): Json {
  return jsonify(encodeBytes(transaction));
}
