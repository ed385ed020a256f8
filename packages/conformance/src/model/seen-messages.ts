import type {
  CommitRequest,
  Message,
  MessageDraft,
  Operation,
  SessionDocument,
} from "@sessions/protocol/backend";
import { canonicalMessage } from "./canonical.js";

/**
 * The messages that an instance has returned. Callers may send the same objects back at any later time. A store may
 * find a message's position by its object, and must not use an outdated position.
 */
export class SeenMessages {
  readonly #objects = new Map<string, Message>();

  /** Remembers messages that were read through the instance. */
  remember(messages: readonly Message[]): void {
    for (const message of messages) this.#objects.set(textOf(message), message);
  }

  rememberDocument({ messages, snapshots }: SessionDocument): void {
    this.remember(messages);
    for (const snapshot of snapshots) this.remember(snapshot.messages);
  }

  /** The same requests, with every message that was read before as the same object. */
  reuseIn(requests: readonly CommitRequest[]): readonly CommitRequest[] {
    return requests.map((request) => ({ ...request, ops: request.ops.map((op) => this.#operation(op)) }));
  }

  #operation(op: Operation): Operation {
    if (op.op === "append" || op.op === "splice") return { ...op, messages: this.#drafts(op.messages) };
    return op.op === "create" || op.op === "adopt" ? { ...op, document: this.#document(op.document) } : op;
  }

  #document(document: SessionDocument): SessionDocument {
    const snapshots = document.snapshots.map((snapshot) => ({
      ...snapshot,
      messages: this.#messages(snapshot.messages),
    }));
    return { ...document, messages: this.#messages(document.messages), snapshots };
  }

  #messages(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => this.#objects.get(textOf(message)) ?? message);
  }

  #drafts(drafts: readonly MessageDraft[]): readonly MessageDraft[] {
    return drafts.map((draft) => this.#objects.get(textOf(draft)) ?? draft);
  }
}

function textOf(message: MessageDraft): string {
  return JSON.stringify(canonicalMessage(message));
}
