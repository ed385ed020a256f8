import type {
  CommitRequest,
  Message,
  MessageDraft,
  Operation,
  SessionDocument,
} from "@sessions/protocol/backend";
import { canonicalMessage } from "./canonical.js";

/**
 * What an instance has handed out. Callers give messages back as the very objects that they have read, whenever that
 * was; a store may know by them where a message stands, and must not believe it too long.
 */
export class GivenBack {
  readonly #objects = new Map<string, Message>();

  /** What was read through the instance. */
  saw(messages: readonly Message[]): void {
    for (const message of messages) this.#objects.set(textOf(message), message);
  }

  sawDocument({ messages, snapshots }: SessionDocument): void {
    this.saw(messages);
    for (const snapshot of snapshots) this.saw(snapshot.messages);
  }

  /** The same requests, with every message that was seen before as the object that was seen. */
  in(requests: readonly CommitRequest[]): readonly CommitRequest[] {
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
