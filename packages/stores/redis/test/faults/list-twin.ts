import { type MutationResult, type Session, SessionError } from "@sessions/protocol";
import type { LedgerStore } from "./ledger.js";

/** How a broken twin of the store writes and reads. */
interface Lists {
  /** Resolves when the message counts as acknowledged. */
  readonly push: (session: string, text: string) => Promise<unknown>;
  readonly texts: (session: string) => Promise<readonly string[]>;
}

const DONE: MutationResult = { revision: 1, duplicate: false, messages: [] };

/** Messages in a list for each session, as one would write that in a hurry. What a driver says is told as it is. */
export function listTwin({ push, texts }: Lists): LedgerStore {
  const send = async (session: string, message: unknown): Promise<MutationResult> => {
    try {
      await push(session, contentOf(message));
    } catch (cause) {
      throw SessionError.of("STORE_UNAVAILABLE", "the twin's driver gave up", { cause });
    }
    return DONE;
  };
  return {
    addMessage: send,
    commit: (session, ops) => send(session, Array.isArray(ops) ? ops[0] : ops),
    getSession: async (session) => sessionOf(session, await texts(session)),
  };
}

/** The content of a message, or of the first message of an operation. */
function contentOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  if ("content" in value) return String(value.content);
  return "messages" in value && Array.isArray(value.messages) ? contentOf(value.messages[0]) : "";
}

function sessionOf(id: string, texts: readonly string[]): Session {
  const messages = texts.map((content, index) => ({
    id: String(index),
    role: "user",
    content,
    createdAt: 0,
  }));
  return {
    id,
    incarnation: "twin",
    revision: texts.length,
    createdAt: 0,
    updatedAt: 0,
    labels: {},
    metadata: {},
    counters: {},
    messages,
    messageCount: messages.length,
    archives: [],
    snapshots: [],
  };
}
