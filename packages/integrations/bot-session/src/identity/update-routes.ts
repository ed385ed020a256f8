import { append, type Json, type Session, set } from "@sessions/protocol";
import { invalid, leaseRetryPolicy, raceAbort, retry } from "@sessions/turn-runner";
import type { ConversationPlace, PersonPlace } from "../keys/conversation-parts.js";
import { sessionName } from "../keys/session-name.js";
import type { Settings } from "../settings.js";
import { readMessage } from "../turn/stored-reply.js";
import { type IdentityLinks, linkSessionName, personOf } from "./identity-links.js";

const CONVERSATIONS_KEY = "conversations";

/**
 * Which conversation an update belongs to. A person may be linked or unlinked, or get another `identity`, between two deliveries of
 * one update; the update stays where it went first. Only people who have had several conversations need a record of that: each of their
 * updates is claimed for one conversation, by a message with its id in the session of their link.
 */
export class UpdateRoutes {
  readonly #settings: Settings;
  readonly #links: IdentityLinks;

  constructor(settings: Settings, links: IdentityLinks) {
    this.#settings = settings;
    this.#links = links;
  }

  /** The present conversation of a place. */
  async present(place: ConversationPlace, signal: AbortSignal): Promise<string> {
    if (place.kind === "place") return sessionName(["bot", ...place.parts]);
    const { identity } = this.#settings;
    const name: unknown =
      identity === undefined ? undefined : await raceAbort(signal, () => identity(place.identity));
    if (name === undefined) return this.#links.conversationOf(place.identity);
    if (typeof name === "string" && name !== "" && name.isWellFormed())
      return sessionName(["bot", "person", name]);
    throw invalid("options.identity", "must return well-formed text that is not empty, or undefined.");
  }

  /** The conversation that a message goes to, or went to. */
  async conversationOf(place: ConversationPlace, messageId: string, signal: AbortSignal): Promise<string> {
    const present = await this.present(place, signal);
    return place.kind === "place" ? present : this.#routed(place, messageId, present);
  }

  /**
   * The conversation of a message that was just stored in `stored`. Another delivery may have gone elsewhere meanwhile. Both store first
   * and check afterwards, so that at least one of them sees the other.
   */
  async confirmed(place: ConversationPlace, messageId: string, stored: string): Promise<string> {
    return place.kind === "place" ? stored : this.#routed(place, messageId, stored);
  }

  async #routed({ identity }: PersonPlace, messageId: string, current: string): Promise<string> {
    const id = await linkSessionName(identity);
    const { name: own } = await personOf(identity);
    const recorded = conversationsIn(await this.#read(id));
    if (recorded.length === 0 && current === own) return own;
    if (recorded.length === 1 && recorded[0] === current) return current;
    const all = recorded.includes(current)
      ? recorded
      : await this.#record(id, await this.#earlier(own, recorded), current);
    return all.length === 1 ? current : this.#claimed(id, messageId, all, current);
  }

  /** Before the first record, a person has spoken in their own conversation, or nowhere. */
  async #earlier(own: string, recorded: readonly string[]): Promise<readonly string[]> {
    if (recorded.length > 0) return recorded;
    return (await this.#read(own)) === undefined ? [] : [own];
  }

  async #record(id: string, before: readonly string[], current: string): Promise<readonly string[]> {
    let all: readonly string[] = [];
    const compute = (link: Session | undefined) => {
      all = [...new Set([...before, ...conversationsIn(link), current])];
      return [append([]), set({ metadata: { [CONVERSATIONS_KEY]: [...all] } })];
    };
    await retry(leaseRetryPolicy(this.#settings), (options) =>
      this.#settings.store.updateSession(id, compute, { ...options, messages: "none" }),
    );
    return all;
  }

  /** The first claim of a message counts. */
  async #claimed(id: string, messageId: string, all: readonly string[], current: string): Promise<string> {
    const claimed = await this.#claimOf(id, messageId);
    if (claimed !== undefined) return claimed;
    const conversation = (await this.#storedElsewhere(messageId, all, current)) ?? current;
    const claim = append({ id: messageId, role: "route", content: conversation }, { onExisting: "keep" });
    await retry(leaseRetryPolicy(this.#settings), (options) =>
      this.#settings.store.commit(id, [claim], options),
    );
    return (await this.#claimOf(id, messageId)) ?? conversation;
  }

  async #claimOf(id: string, messageId: string): Promise<string | undefined> {
    const claim = await readMessage(this.#settings, id, messageId);
    return typeof claim?.content === "string" ? claim.content : undefined;
  }

  async #storedElsewhere(
    messageId: string,
    all: readonly string[],
    current: string,
  ): Promise<string | undefined> {
    for (const conversation of all.filter((one) => one !== current))
      if ((await readMessage(this.#settings, conversation, messageId)) !== undefined) return conversation;
    return undefined;
  }

  #read(sessionId: string): Promise<Session | undefined> {
    const { store } = this.#settings;
    return retry(leaseRetryPolicy(this.#settings), () => store.getSession(sessionId, { messages: "none" }));
  }
}

function conversationsIn(link: Session | undefined): readonly string[] {
  const value: Json | undefined = link?.metadata[CONVERSATIONS_KEY];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
