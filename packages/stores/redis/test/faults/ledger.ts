import { append, count, SessionError, type SessionStore } from "@sessions/protocol";

/** What became of one message. */
type Fate = "acknowledged" | "refused" | "unknown";

/** How a message is sent. */
export interface Sending {
  /** Whether an unknown outcome is followed by the same call again, and under which commit id. */
  readonly repeat: "same-commit-id" | "no-commit-id" | "never";
}

/** As much of a store as a ledger needs. */
export type LedgerStore = Pick<SessionStore, "addMessage" | "commit" | "getSession">;

const REPEATS = 200;

/**
 * Sends messages, each with a text of its own, and keeps what was said about each. Afterwards the sessions are held
 * against that: what was acknowledged is there once, what was refused is not, and nothing is there twice.
 */
export class Ledger {
  readonly #fates = new Map<string, Map<string, Fate>>();
  /** Errors that were met, by code. */
  readonly errors: Map<string, number> = new Map();
  /** Calls that did not settle in the time that `patienceMs` gives them. */
  late = 0;
  readonly #patienceMs: number;
  #sent = 0;

  constructor(patienceMs = 30_000) {
    this.#patienceMs = patienceMs;
  }

  get acknowledged(): number {
    return this.#count("acknowledged");
  }

  get unknown(): number {
    return this.#count("unknown");
  }

  /** Sends one message. Every second one goes with a counter, which takes the general way instead of the fast one. */
  async send(
    store: LedgerStore,
    session: string,
    { repeat }: Sending = { repeat: "same-commit-id" },
  ): Promise<Fate> {
    const text = `message ${++this.#sent}`;
    const plain = this.#sent % 2 === 0;
    const commitId = repeat === "no-commit-id" ? undefined : text;
    let fate: Fate = "unknown";
    for (let tries = 0; tries < REPEATS && fate === "unknown"; tries++) {
      fate = await this.#try(() => sendText(store, session, text, plain, commitId));
      if (repeat === "never") break;
    }
    this.#note(session, text, fate);
    return fate;
  }

  /** What is wrong with the sessions, in words. Nothing, if all is well. */
  async findings(store: LedgerStore): Promise<readonly string[]> {
    const findings: string[] = [];
    for (const [session, fates] of this.#fates) {
      const texts = ((await store.getSession(session))?.messages ?? []).map(({ content }) => String(content));
      const times = new Map<string, number>();
      for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
      for (const [text, fate] of fates) {
        const found = times.get(text) ?? 0;
        if (found > 1) findings.push(`${session}: "${text}" is there ${found} times`);
        if (found === 0 && fate === "acknowledged") findings.push(`${session}: "${text}" is lost`);
        if (found > 0 && fate === "refused") findings.push(`${session}: "${text}" was refused, and is there`);
        times.delete(text);
      }
      for (const text of times.keys()) findings.push(`${session}: nobody has sent "${text}"`);
    }
    return findings;
  }

  #note(session: string, text: string, fate: Fate): void {
    const fates = this.#fates.get(session) ?? new Map<string, Fate>();
    this.#fates.set(session, fates.set(text, fate));
  }

  #count(fate: Fate): number {
    return [...this.#fates.values()].flatMap((fates) => [...fates.values()]).filter((one) => one === fate)
      .length;
  }

  async #try(call: () => Promise<unknown>): Promise<Fate> {
    const timer = setTimeout(() => {
      this.late++;
    }, this.#patienceMs);
    try {
      await call();
      return "acknowledged";
    } catch (error) {
      if (!SessionError.is(error)) throw error;
      this.errors.set(error.code, (this.errors.get(error.code) ?? 0) + 1);
      return error.code === "OUTCOME_UNKNOWN" ? "unknown" : "refused";
    } finally {
      clearTimeout(timer);
    }
  }
}

async function sendText(
  store: LedgerStore,
  session: string,
  text: string,
  plain: boolean,
  commitId: string | undefined,
): Promise<unknown> {
  const message = { role: "user", content: text };
  const options = commitId === undefined ? {} : { commitId };
  if (plain) return store.addMessage(session, message, options);
  return store.commit(session, [append(message), count({ sent: 1 })], options);
}
