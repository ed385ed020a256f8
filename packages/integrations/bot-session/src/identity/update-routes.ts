import { append, type Json, type Session, set } from "@sessions/protocol";
import { invalid, raceAbort } from "@sessions/turn-runner";
import type { ConversationPlace, PersonPlace } from "../keys/conversation-parts.js";
import { sessionName } from "../keys/session-name.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { heldMessage } from "../turn/stored-reply.js";
import { type IdentityLinks, linkName, personOf } from "./identity-links.js";

const CONVERSATIONS_KEY = "conversations";

/**
 * Which conversation a message belongs to. A person may be linked, unlinked or named otherwise between two deliveries of
 * one update; it stays where it went first. Only people who have had several conversations need notes for that: each of
 * their messages is claimed for one of them, by a message of its id in the session of their links.
 */
export class Routes {
  readonly #settings: Settings;
  readonly #links: IdentityLinks;

  constructor(settings: Settings, links: IdentityLinks) {
    this.#settings = settings;
    this.#links = links;
  }

  /** Where somebody speaks now. */
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

  /** Where a message goes, or went. */
  async conversationOf(place: ConversationPlace, messageId: string, signal: AbortSignal): Promise<string> {
    const present = await this.present(place, signal);
    return place.kind === "place" ? present : this.#routed(place, messageId, present);
  }

  /**
   * Where a message belongs that was just stored in a conversation. Another delivery may have gone elsewhere since this
   * one looked: both have stored first and look again now, so at least one of them sees the other.
   */
  async confirmed(place: ConversationPlace, messageId: string, stored: string): Promise<string> {
    return place.kind === "place" ? stored : this.#routed(place, messageId, stored);
  }

  async #routed({ identity }: PersonPlace, messageId: string, current: string): Promise<string> {
    const id = await linkName(identity);
    const { name: own } = await personOf(identity);
    const noted = conversationsIn(await this.#read(id));
    if (noted.length === 0 && current === own) return own;
    if (noted.length === 1 && noted[0] === current) return current;
    const all = noted.includes(current)
      ? noted
      : await this.#note(id, await this.#first(own, noted), current);
    return all.length === 1 ? current : this.#claimed(id, messageId, all, current);
  }

  /** Before anything is noted, a person has spoken in their own conversation, or nowhere. */
  async #first(own: string, noted: readonly string[]): Promise<readonly string[]> {
    if (noted.length > 0) return noted;
    return (await this.#read(own)) === undefined ? [] : [own];
  }

  async #note(id: string, before: readonly string[], current: string): Promise<readonly string[]> {
    let all: readonly string[] = [];
    const compute = (link: Session | undefined) => {
      all = [...new Set([...before, ...conversationsIn(link), current])];
      return [append([]), set({ metadata: { [CONVERSATIONS_KEY]: [...all] } })];
    };
    await patiently(this.#settings, (options) =>
      this.#settings.store.updateSession(id, compute, { ...options, messages: "none" }),
    );
    return all;
  }

  /** The first claim counts. */
  async #claimed(id: string, messageId: string, all: readonly string[], current: string): Promise<string> {
    const claimed = await this.#claimOf(id, messageId);
    if (claimed !== undefined) return claimed;
    const conversation = (await this.#heldElsewhere(messageId, all, current)) ?? current;
    const claim = append({ id: messageId, role: "route", content: conversation }, { onExisting: "keep" });
    await patiently(this.#settings, (options) => this.#settings.store.commit(id, [claim], options));
    return (await this.#claimOf(id, messageId)) ?? conversation;
  }

  async #claimOf(id: string, messageId: string): Promise<string | undefined> {
    const claim = await heldMessage(this.#settings, id, messageId);
    return typeof claim?.content === "string" ? claim.content : undefined;
  }

  async #heldElsewhere(
    messageId: string,
    all: readonly string[],
    current: string,
  ): Promise<string | undefined> {
    for (const conversation of all.filter((one) => one !== current))
      if ((await heldMessage(this.#settings, conversation, messageId)) !== undefined) return conversation;
    return undefined;
  }

  #read(sessionId: string): Promise<Session | undefined> {
    const { store } = this.#settings;
    return patiently(this.#settings, () => store.getSession(sessionId, { messages: "none" }));
  }
}

function conversationsIn(link: Session | undefined): readonly string[] {
  const value: Json | undefined = link?.metadata[CONVERSATIONS_KEY];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
