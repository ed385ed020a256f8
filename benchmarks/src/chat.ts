import type { MessageInput, SessionStore } from "@sessions/protocol";

const TEXT = "and this is about as much as people say to a bot, and as much as a bot answers if it is brief";

/** A message of a typical conversation. */
export function message(index: number): MessageInput {
  return { role: index % 2 === 0 ? "user" : "assistant", content: `message ${index}: ${TEXT}` };
}

export function messages(length: number, from = 0): readonly MessageInput[] {
  return Array.from({ length }, (_, index) => message(from + index));
}

/** Grows a session in large commits, which is fast. */
export async function growInBatches(store: SessionStore, id: string, length: number): Promise<void> {
  for (let from = 0; from < length; from += 1000) {
    await store.addMessage(id, messages(Math.min(1000, length - from)));
  }
}

/** Grows a session by one commit for each message, as bots do. Many commits run concurrently, which takes less time. */
export async function growOneByOne(store: SessionStore, id: string, length: number): Promise<void> {
  for (let from = 0; from < length; from += 512) {
    await Promise.all(messages(Math.min(512, length - from)).map((one) => store.addMessage(id, one)));
  }
}
