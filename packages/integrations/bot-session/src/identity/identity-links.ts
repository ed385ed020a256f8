import { append, type Json, type Session, SessionError, set } from "@sessions/protocol";
import { isFields, requireFields, requireName } from "@sessions/turn-runner";
import type { Identity } from "../bot-update.js";
import { personParts } from "../keys/conversation-parts.js";
import { platformId } from "../keys/platform-id.js";
import { sessionName } from "../keys/session-name.js";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";

const TO_KEY = "to";

/** Somebody, and the name of their own conversation. */
interface Person {
  readonly identity: Identity;
  readonly name: string;
}

/**
 * Who is the same person. Each identity that was linked has a small session with a pointer to another one; a change is
 * one commit of one session, so processes cannot spoil each other's links. The session stays when the link goes: it also
 * holds where the updates of the identity went.
 */
export class IdentityLinks {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The name of the conversation that an identity takes part in. */
  async conversationOf(identity: Identity): Promise<string> {
    return (await this.#root(await personOf(identity))).name;
  }

  async link(identity: Identity, other: Identity): Promise<void> {
    const root = await this.#root(await requirePerson(identity, "identity"));
    const { name, identity: linked } = await requirePerson(other, "other");
    if (root.name === name) return; // it is the one that the others are linked to
    const ops = [
      append([]), // makes the session if need be
      set({
        labels: { bot: "link", linkedTo: root.name },
        metadata: { [TO_KEY]: { ...root.identity }, identity: { ...linked } },
      }),
    ];
    const id = await linkName(linked);
    await patiently(this.#settings, (options) => this.#settings.store.commit(id, ops, options));
  }

  async unlink(identity: Identity): Promise<boolean> {
    const id = await linkName((await requirePerson(identity, "identity")).identity);
    const nothing = { labels: { bot: null, linkedTo: null }, metadata: { [TO_KEY]: null, identity: null } };
    let wasLinked = false;
    const compute = (link: Session | undefined) => {
      wasLinked = link?.labels["linkedTo"] !== undefined;
      return wasLinked ? [set(nothing)] : [];
    };
    await patiently(this.#settings, (options) =>
      this.#settings.store.updateSession(id, compute, { ...options, messages: "none" }),
    );
    return wasLinked;
  }

  async linksFor(identity: Identity): Promise<readonly Identity[]> {
    const root = await this.#root(await requirePerson(identity, "identity"));
    const found = new Map<string, Identity>([[root.name, root.identity]]);
    for (const name of found.keys()) {
      const labels = { bot: "link", linkedTo: name };
      for await (const link of this.#settings.store.listSessions({ labels, metadata: ["identity"] })) {
        const linked = await personOf(identityIn(link.metadata["identity"], link.id));
        found.set(linked.name, linked.identity);
      }
    }
    return [...found.values()];
  }

  /**
   * Follows the pointers. Two links that were made at the same moment may point at each other: then the first by name
   * counts, so that all of them still meet in one conversation.
   */
  async #root(person: Person): Promise<Person> {
    const seen: Person[] = [];
    for (let at = person; ; ) {
      const loop = seen.findIndex(({ name }) => name === at.name);
      if (loop !== -1) return seen.slice(loop).reduce((first, one) => (one.name < first.name ? one : first));
      seen.push(at);
      const next = await this.#next(at.identity);
      if (next === undefined) return at;
      at = next;
    }
  }

  async #next(identity: Identity): Promise<Person | undefined> {
    const id = await linkName(identity);
    const { store } = this.#settings;
    const link = await patiently(this.#settings, () => store.getSession(id, { messages: "none" }));
    if (link?.labels["linkedTo"] === undefined) return undefined;
    return personOf(identityIn(link.metadata[TO_KEY], id));
  }
}

export async function personOf(identity: Identity): Promise<Person> {
  return { identity, name: await sessionName(["bot", ...personParts(identity)]) };
}

/** The session of an identity's link, and of where its updates went. */
export function linkName(identity: Identity): Promise<string> {
  return sessionName(["bot", "link", ...personParts(identity)]);
}

async function requirePerson(value: Identity, path: string): Promise<Person> {
  requireFields(value, path);
  const platform = requireName(value.platform, `${path}.platform`);
  const account = value.account === undefined ? "" : String(value.account);
  return personOf({ platform, account, user: platformId(value.user, `${path}.user`) });
}

// Written by nobody but this file: anything else there is damage, and no reason to give somebody a new conversation.
function identityIn(value: Json | undefined, sessionId: string): Identity {
  const { platform, account, user } = isFields(value) ? value : {};
  if (typeof platform === "string" && typeof account === "string" && typeof user === "string")
    return { platform, account, user };
  throw SessionError.of(
    "SESSION_CORRUPTED",
    `Session "${sessionId}" is a link between identities, and holds none. Delete it, and link them again.`,
    { sessionId },
  );
}
