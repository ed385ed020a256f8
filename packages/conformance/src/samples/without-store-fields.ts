import type { Message } from "@sessions/protocol";

/** A message as a framework passes it back: without the fields that the store adds or changes. */
export function withoutStoreFields({ id: _id, createdAt: _at, status: _status, ...message }: Message): {
  readonly role: string;
} {
  return message;
}
