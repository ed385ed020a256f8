import { append, requireOptions } from "@sessions/protocol/integration";
import { requireFields } from "@sessions/turn-runner";
import type { BotReply } from "./bot-reply.js";
import type { BotSession, HandleOptions, OutboundMessage, ReapOptions } from "./bot-session.js";
import type { BotTarget, BotUpdate, Identity } from "./bot-update.js";
import { IdentityLinks } from "./identity/identity-links.js";
import { Routes } from "./identity/update-routes.js";
import { labelling } from "./keys/conversation-labels.js";
import { type ConversationPlace, conversationPlace } from "./keys/conversation-parts.js";
import { platformId } from "./keys/platform-id.js";
import { sessionName } from "./keys/session-name.js";
import { reapConversations } from "./reset/end-idle.js";
import { asReset, resetConversation } from "./reset/reset-conversation.js";
import { saidAt } from "./reset/reset-operations.js";
import { patiently } from "./retry-call.js";
import type { Settings } from "./settings.js";
import { Arrivals } from "./turn/arrival-order.js";
import { asDelivered, handleUpdate } from "./turn/handle-update.js";
import { requireSameWords } from "./turn/require-same-words.js";
import { heldMessage, knownUpdate, replyOf, settledReply } from "./turn/stored-reply.js";
import { askedIn, type NamedMessage, saidIn, updateName } from "./turn/update-message.js";
import type { UpdateRequest } from "./turn/update-request.js";
import { judging } from "./turn/validate-update.js";
import { Deadline } from "./update-deadline.js";

/** What `record` and `mirror` tell. */
interface Added {
  readonly sessionId: string;
  readonly duplicate: boolean;
}

/** The one implementation of `BotSession`. It remembers nothing but who is on the way; the rest is stored. */
export class StoredBot implements BotSession {
  readonly #settings: Settings;
  readonly #links: IdentityLinks;
  readonly #routes: Routes;
  readonly #arrivals = new Arrivals();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#links = new IdentityLinks(settings);
    this.#routes = new Routes(settings, this.#links);
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

  async record(update: BotUpdate): Promise<Added> {
    const place = this.#place(update);
    const message = saidIn(update, await updateName(this.#settings.keys, update.id));
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

  reap(options: ReapOptions): Promise<number> {
    return reapConversations(this.#settings, options);
  }

  #place(target: BotTarget): ConversationPlace {
    requireFields(target, "update");
    return conversationPlace(this.#settings.keys, target);
  }

  async #handle(update: BotUpdate, deadline: Deadline, signal?: AbortSignal): Promise<BotReply> {
    const place = await judging(update, () => this.#place(update));
    return this.#arrivals.pass(JSON.stringify(place), deadline.signal, async (entered) => {
      const { turnId, prompt } = await judging(update, () => this.#asked(update));
      const sessionId = await this.#routes.conversationOf(place, turnId, deadline.signal);
      deadline.sessionId = sessionId;
      const confirmed = (stored: string): Promise<string> => this.#routes.confirmed(place, turnId, stored);
      const isShared = place.kind === "place";
      const request = { update, sessionId, turnId, prompt, isShared, deadline, signal, confirmed };
      return this.#answer(request, entered);
    });
  }

  async #asked(update: BotUpdate): Promise<{ readonly turnId: string; readonly prompt: NamedMessage }> {
    const turnId = await updateName(this.#settings.keys, update.id);
    return { turnId, prompt: this.#isCommand(update) ? saidIn(update, turnId) : askedIn(update, turnId) };
  }

  async #answer(request: UpdateRequest, entered: () => void): Promise<BotReply> {
    const { update, sessionId, turnId, prompt } = request;
    const { held, mark } = await knownUpdate(this.#settings, sessionId, turnId);
    if (held !== undefined) await judging(update, () => requireSameWords(sessionId, held, prompt));
    if (mark !== undefined) return replyOf(this.#settings, sessionId, turnId, mark);
    if (this.#isCommand(update)) return this.#resetBy(request);
    return handleUpdate(this.#settings, asDelivered(request, held), entered);
  }

  /** Has something done within the time that an update may take. */
  async #within<Result>(
    work: (deadline: Deadline) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const deadline = new Deadline(this.#settings.clock, this.#settings.deadlineMs, signal);
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
    const byHand = { sessionId, destroy: reset.destroy, command: asReset(prompt), signal: deadline.signal };
    try {
      const done = await judging(update, () => resetConversation(this.#settings, byHand));
      const told = { reply: reset.reply, messages: [], sessionId, outcome: "reset" } as const;
      return { ...told, revision: done?.revision ?? 0, duplicate: false };
    } catch (error) {
      // The same command, delivered twice at once: the other one was faster.
      const other = await settledReply(this.#settings, sessionId, turnId);
      if (other === undefined) throw error;
      return other;
    }
  }

  async #add(place: ConversationPlace, message: NamedMessage): Promise<Added> {
    const { store, keys, clock } = this.#settings;
    const sessionId = await this.#within(({ signal }) =>
      this.#routes.conversationOf(place, message.id, signal),
    );
    const held = await heldMessage(this.#settings, sessionId, message.id);
    if (held !== undefined) requireSameWords(sessionId, held, message);
    if (held !== undefined) return { sessionId, duplicate: true };
    const session = await patiently(this.#settings, () => store.getSession(sessionId, { messages: "none" }));
    const ops = [append(message, { onExisting: "keep" }), saidAt(clock.now()), ...labelling(session, keys)];
    const { messages } = await patiently(this.#settings, (options) => store.commit(sessionId, ops, options));
    return { sessionId, duplicate: messages.length === 0 };
  }
}
