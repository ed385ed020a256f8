import { append, type Json, type Session, SessionError, set } from "@sessions/protocol";
import { isFields, leaseRetryPolicy, requireFields, requireName, retry } from "@sessions/turn-runner";
import type { Identity } from "../bot-update.js";
import { personParts } from "../keys/conversation-parts.js";
import { platformId } from "../keys/platform-id.js";
import { sessionName } from "../keys/session-name.js";
import type { Settings } from "../settings.js";

const TO_KEY = "to";

/** An identity, and the session id of its own conversation. */
interface Person {
  readonly identity: Identity;
  readonly name: string;
}

/**
 * Links between identities of the same person. Each linked identity has a small session with a pointer to another identity. A change
 * is one commit of one session, so that processes cannot break each other's links. The session stays when the link is removed: it also
 * records where the identity's updates went.
 */
export class IdentityLinks {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The session id of an identity's conversation. */
  async conversationOf(identity: Identity): Promise<string> {
    return (await this.#root(await personOf(identity))).name;
  }

  async link(identity: Identity, other: Identity): Promise<void> {
    const root = await this.#root(await requirePerson(identity, "identity"));
    const { name, identity: linked } = await requirePerson(other, "other");
    if (root.name === name) return; // the others are linked to it already
    const ops = [
      append([]), // creates the session if it does not exist
      set({
        labels: { bot: "link", linkedTo: root.name },
        metadata: { [TO_KEY]: { ...root.identity }, identity: { ...linked } },
      }),
    ];
    const id = await linkSessionName(linked);
    await retry(leaseRetryPolicy(this.#settings), (options) => this.#settings.store.commit(id, ops, options));
  }

  async unlink(identity: Identity): Promise<boolean> {
    const id = await linkSessionName((await requirePerson(identity, "identity")).identity);
    const nothing = { labels: { bot: null, linkedTo: null }, metadata: { [TO_KEY]: null, identity: null } };
    let wasLinked = false;
    const compute = (link: Session | undefined) => {
      wasLinked = link?.labels["linkedTo"] !== undefined;
      return wasLinked ? [set(nothing)] : [];
    };
    await retry(leaseRetryPolicy(this.#settings), (options) =>
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
   * Follows the pointers to the last identity. Two links that were made at the same moment may point at each other: then the first by
   * name counts, so that all of them share one conversation.
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
    const id = await linkSessionName(identity);
    const { store } = this.#settings;
    const link = await retry(leaseRetryPolicy(this.#settings), () =>
      store.getSession(id, { messages: "none" }),
    );
    if (link?.labels["linkedTo"] === undefined) return undefined;
    return personOf(identityIn(link.metadata[TO_KEY], id));
  }
}

export async function personOf(identity: Identity): Promise<Person> {
  return { identity, name: await sessionName(["bot", ...personParts(identity)]) };
}

/** The id of the session that holds an identity's link, and the routes of its updates. */
export function linkSessionName(identity: Identity): Promise<string> {
  return sessionName(["bot", "link", ...personParts(identity)]);
}

async function requirePerson(value: Identity, path: string): Promise<Person> {
  requireFields(value, path);
  const platform = requireName(value.platform, `${path}.platform`);
  const account = value.account === undefined ? "" : String(value.account);
  return personOf({ platform, account, user: platformId(value.user, `${path}.user`) });
}

// Only this file writes it: any other value is damage, and must not give a person a new conversation.
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
