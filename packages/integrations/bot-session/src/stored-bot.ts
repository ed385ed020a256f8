import { append, requireOptions } from "@sessions/protocol/integration";
import { leaseRetryPolicy, requireFields, retry } from "@sessions/turn-runner";
import type { BotReply } from "./bot-reply.js";
import type { BotSession, EndIdleOptions, HandleOptions, OutboundMessage } from "./bot-session.js";
import type { BotTarget, BotUpdate, Identity } from "./bot-update.js";
import { IdentityLinks } from "./identity/identity-links.js";
import { UpdateRoutes } from "./identity/update-routes.js";
import { labelConversation } from "./keys/conversation-labels.js";
import { type ConversationPlace, conversationPlace } from "./keys/conversation-parts.js";
import { platformId } from "./keys/platform-id.js";
import { sessionName } from "./keys/session-name.js";
import { endIdle } from "./reset/end-idle.js";
import { resetConversation, settledCommand } from "./reset/reset-conversation.js";
import { recordActivity } from "./reset/reset-operations.js";
import type { Settings } from "./settings.js";
import { ArrivalOrder } from "./turn/arrival-order.js";
import { confirmSent } from "./turn/confirm-sent.js";
import { asDelivered, handleUpdate } from "./turn/handle-update.js";
import { requireSameWords } from "./turn/require-same-words.js";
import { findReply, findUpdate, readMessage, storedReply } from "./turn/stored-reply.js";
import { type IdentifiedMessage, updateId, updateMessage, updatePrompt } from "./turn/update-message.js";
import type { UpdateRequest } from "./turn/update-request.js";
import { validateUpdate } from "./turn/validate-update.js";
import { UpdateDeadline } from "./update-deadline.js";

/** The result of `record` and `mirror`. */
interface Added {
  readonly sessionId: string;
  readonly duplicate: boolean;
}

/** The one implementation of `BotSession`. It only remembers which updates are on the way; the rest is stored. */
export class StoredBot implements BotSession {
  readonly #settings: Settings;
  readonly #links: IdentityLinks;
  readonly #routes: UpdateRoutes;
  readonly #arrivals = new ArrivalOrder();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#links = new IdentityLinks(settings);
    this.#routes = new UpdateRoutes(settings, this.#links);
  }

  async handle(update: BotUpdate, options: HandleOptions = {}): Promise<BotReply> {
    try {
      const { signal } = requireOptions(options, { signal: "signal" });
      return await this.#within((deadline) => this.#handle(update, deadline, signal), signal);
    } catch (error) {
      this.#settings.hooks.failed(error, { during: "turn", update });
      throw error;
    }
  }

  confirmSent(update: BotUpdate): Promise<boolean> {
    return this.#within(async ({ signal }) => {
      const place = this.#place(update);
      const turnId = await updateId(this.#settings.keys, update.id);
      const sessionId = await this.#routes.conversationOf(place, turnId, signal);
      const { settled } = await findUpdate(this.#settings, sessionId, turnId);
      return settled !== undefined && confirmSent(this.#settings, sessionId, settled.id);
    });
  }

  async record(update: BotUpdate): Promise<Added> {
    const place = this.#place(update);
    const message = updateMessage(update, await updateId(this.#settings.keys, update.id));
    return this.#add(place, message);
  }

  async mirror(target: BotTarget, message: OutboundMessage): Promise<Added> {
    requireFields(message, "message");
    const { platform, account } = this.#settings.keys;
    const id = await sessionName(["outbound", platform, account, platformId(message.id, "message.id")]);
    const metadata = { mirrored: true };
    return this.#add(this.#place(target), { id, role: "assistant", content: message.text, metadata });
  }

  async reset(target: BotTarget, options: { readonly destroy?: boolean | undefined } = {}): Promise<boolean> {
    const { destroy = this.#settings.reset.destroy } = requireOptions(options, { destroy: "boolean" });
    const place = this.#place(target);
    return this.#within(async ({ signal }) => {
      const sessionId = await this.#routes.present(place, signal);
      return (await resetConversation(this.#settings, { sessionId, destroy, signal })) !== undefined;
    });
  }

  async sessionId(target: BotTarget): Promise<string> {
    const place = this.#place(target);
    return this.#within(({ signal }) => this.#routes.present(place, signal));
  }

  link(identity: Identity, other: Identity): Promise<void> {
    return this.#links.link(identity, other);
  }

  unlink(identity: Identity): Promise<boolean> {
    return this.#links.unlink(identity);
  }

  linksFor(identity: Identity): Promise<readonly Identity[]> {
    return this.#links.linksFor(identity);
  }

  endIdle(options: EndIdleOptions): Promise<number> {
    return endIdle(this.#settings, options);
  }

  #place(target: BotTarget): ConversationPlace {
    requireFields(target, "update");
    return conversationPlace(this.#settings.keys, target);
  }

  async #handle(update: BotUpdate, deadline: UpdateDeadline, signal?: AbortSignal): Promise<BotReply> {
    const place = await validateUpdate(update, () => this.#place(update));
    return this.#arrivals.pass(JSON.stringify(place), deadline.signal, async (entered) => {
      const { turnId, prompt } = await validateUpdate(update, () => this.#prompt(update));
      const sessionId = await this.#routes.conversationOf(place, turnId, deadline.signal);
      deadline.sessionId = sessionId;
      const confirmed = (stored: string): Promise<string> => this.#routes.confirmed(place, turnId, stored);
      const isShared = place.kind === "place";
      const request = { update, sessionId, turnId, prompt, isShared, deadline, signal, confirmed };
      return this.#answer(request, entered);
    });
  }

  async #prompt(update: BotUpdate): Promise<{ readonly turnId: string; readonly prompt: IdentifiedMessage }> {
    const turnId = await updateId(this.#settings.keys, update.id);
    const isCommand = this.#isCommand(update);
    return { turnId, prompt: isCommand ? updateMessage(update, turnId) : updatePrompt(update, turnId) };
  }

  async #answer(request: UpdateRequest, entered: () => void): Promise<BotReply> {
    const { update, sessionId, turnId, prompt } = request;
    const stored = await findUpdate(this.#settings, sessionId, turnId);
    const { message } = stored;
    if (message !== undefined)
      await validateUpdate(update, () => requireSameWords(sessionId, message, prompt));
    const reply = await storedReply(this.#settings, sessionId, turnId, stored);
    if (reply !== undefined) return reply;
    if (this.#isCommand(update)) return this.#resetBy(request);
    return handleUpdate(this.#settings, asDelivered(request, message), entered);
  }

  /** Runs something within the time that an update may take. */
  async #within<Result>(
    work: (deadline: UpdateDeadline) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const deadline = new UpdateDeadline(this.#settings.clock, this.#settings.deadlineMs, signal);
    try {
      return await work(deadline);
    } finally {
      deadline.end();
    }
  }

  #isCommand({ text }: BotUpdate): boolean {
    return text !== undefined && this.#settings.reset.commands.includes(text.trim());
  }

  async #resetBy({ update, sessionId, turnId, prompt, deadline }: UpdateRequest): Promise<BotReply> {
    const { reset } = this.#settings;
    const { signal } = deadline;
    const request = { sessionId, destroy: reset.destroy, command: settledCommand(prompt), signal };
    try {
      const done = await validateUpdate(update, () => resetConversation(this.#settings, request));
      const reply = { reply: reset.reply, messages: [], sessionId, outcome: "reset" } as const;
      return { ...reply, revision: done?.revision ?? 0, duplicate: false, sent: false };
    } catch (error) {
      // The same command may have been delivered twice at once, and the other delivery was faster.
      const other = await findReply(this.#settings, sessionId, turnId);
      if (other === undefined) throw error;
      return other;
    }
  }

  async #add(place: ConversationPlace, message: IdentifiedMessage): Promise<Added> {
    const settings = this.#settings;
    const { store, keys, clock } = settings;
    const sessionId = await this.#within(({ signal }) =>
      this.#routes.conversationOf(place, message.id, signal),
    );
    const stored = await readMessage(settings, sessionId, message.id);
    if (stored !== undefined) requireSameWords(sessionId, stored, message);
    if (stored !== undefined) return { sessionId, duplicate: true };
    const session = await retry(leaseRetryPolicy(settings), () =>
      store.getSession(sessionId, { messages: "none" }),
    );
    const ops = [
      append(message, { onExisting: "keep" }),
      recordActivity(clock.now()),
      ...labelConversation(session, keys),
    ];
    const { messages } = await retry(leaseRetryPolicy(settings), (options) =>
      store.commit(sessionId, ops, options),
    );
    return { sessionId, duplicate: messages.length === 0 };
  }
}
