import { requireRecord } from "@sessions/managed-agent/building-blocks";
import { append, type OperationInput, requireOptions, set } from "@sessions/protocol";
import type { BotReply } from "./bot-reply.js";
import type { BotSession, HandleOptions, OutboundMessage, ReapOptions } from "./bot-session.js";
import type { BotTarget, BotUpdate, Identity } from "./bot-update.js";
import { IdentityLinks } from "./identity/links.js";
import { type ConversationPlace, conversationPlace } from "./keys/conversation-parts.js";
import { platformId } from "./keys/platform-id.js";
import { sessionName } from "./keys/session-name.js";
import { reapConversations } from "./reap.js";
import { asReset, resetConversation } from "./reset/reset-conversation.js";
import type { Settings } from "./settings.js";
import { Arrivals } from "./turn/arrivals.js";
import { handleUpdate } from "./turn/handle-update.js";
import { labelsOf } from "./turn/labels.js";
import { askedIn, type NamedMessage, saidIn, updateName } from "./turn/prompt.js";
import { settledReply } from "./turn/settled-reply.js";

/** The one implementation of `BotSession`. It remembers nothing but who is on the way; the rest is stored. */
export class StoredBot implements BotSession {
  readonly #settings: Settings;
  readonly #links: IdentityLinks;
  readonly #arrivals = new Arrivals();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#links = new IdentityLinks(settings.store);
  }

  async handle(update: BotUpdate, options: HandleOptions = {}): Promise<BotReply> {
    try {
      const { signal } = requireOptions(options, { signal: "signal" });
      const place = this.#place(update);
      return await this.#arrivals.pass(JSON.stringify(place), async (entered) => {
        const sessionId = await this.#sessionId(place);
        const turnId = await updateName(this.#settings.keys, update.id);
        if (this.#isCommand(update)) return this.#resetBy(update, sessionId, turnId);
        const prompt = askedIn(update, turnId);
        const isShared = place.kind === "place";
        const request = { update, sessionId, turnId, prompt, isShared, signal };
        return handleUpdate(this.#settings, request, entered);
      });
    } catch (error) {
      this.#settings.hooks.failed(error, { during: "turn", update });
      throw error;
    }
  }

  async record(update: BotUpdate): Promise<{ readonly sessionId: string; readonly duplicate: boolean }> {
    const sessionId = await this.sessionId(update);
    return this.#add(sessionId, saidIn(update, await updateName(this.#settings.keys, update.id)));
  }

  async mirror(
    target: BotTarget,
    message: OutboundMessage,
  ): Promise<{ readonly sessionId: string; readonly duplicate: boolean }> {
    requireRecord(message, "message");
    const { platform, account } = this.#settings.keys;
    const id = await sessionName(["outbound", platform, account, platformId(message.id, "message.id")]);
    const metadata = { mirrored: true };
    return this.#add(await this.sessionId(target), {
      id,
      role: "assistant",
      content: message.text,
      metadata,
    });
  }

  async reset(target: BotTarget, options: { readonly destroy?: boolean | undefined } = {}): Promise<boolean> {
    const { destroy = this.#settings.reset.destroy } = requireOptions(options, { destroy: "boolean" });
    const sessionId = await this.sessionId(target);
    return (await resetConversation(this.#settings, { sessionId, destroy })) !== undefined;
  }

  async sessionId(target: BotTarget): Promise<string> {
    return this.#sessionId(this.#place(target));
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
    requireRecord(target, "update");
    return conversationPlace(this.#settings.keys, target);
  }

  async #sessionId(place: ConversationPlace): Promise<string> {
    if (place.kind === "place") return sessionName(["bot", ...place.parts]);
    const person = await this.#settings.identity?.(place.identity);
    if (person !== undefined) return sessionName(["bot", "person", person]);
    return this.#links.conversationOf(place.identity);
  }

  #isCommand({ text }: BotUpdate): boolean {
    return text !== undefined && this.#settings.reset.commands.includes(text.trim());
  }

  async #resetBy(update: BotUpdate, sessionId: string, turnId: string): Promise<BotReply> {
    const { store, reset } = this.#settings;
    const told = { reply: reset.reply, messages: [], sessionId, outcome: "reset" } as const;
    const before = await settledReply(store, sessionId, turnId);
    if (before !== undefined) return { ...before, reply: reset.reply };
    const command = asReset(saidIn(update, turnId));
    const byHand = { sessionId, destroy: reset.destroy, command };
    try {
      const done = await resetConversation(this.#settings, byHand);
      return { ...told, revision: done?.revision ?? 0, duplicate: false };
    } catch (error) {
      // The same command, delivered twice at once: the other one was faster.
      const other = await settledReply(store, sessionId, turnId);
      if (other === undefined) throw error;
      return { ...other, reply: reset.reply };
    }
  }

  async #add(
    sessionId: string,
    message: NamedMessage,
  ): Promise<{ readonly sessionId: string; readonly duplicate: boolean }> {
    const ops: readonly OperationInput[] = [
      append(message, { onExisting: "keep" }),
      set({ labels: labelsOf(this.#settings.keys) }),
    ];
    const { messages } = await this.#settings.store.commit(sessionId, ops);
    return { sessionId, duplicate: messages.length === 0 };
  }
}
