import type { ChatMessage, Conversations } from "./keeper.js";

/** What keeps a document under a key. */
export interface DocumentStorage extends AsyncDisposable {
  read(id: string): Promise<readonly ChatMessage[] | undefined>;
  write(id: string, messages: readonly ChatMessage[]): Promise<unknown>;
}

/** Conversations that are documents: who adds a message writes all of them. Within a turn, what was read is still known. */
export function documents(storage: DocumentStorage): Conversations {
  const read = async (id: string): Promise<readonly ChatMessage[]> => (await storage.read(id)) ?? [];
  return {
    async turn(id, { question, answer }, writes) {
      const before = await read(id);
      if (writes === "each message") await storage.write(id, [...before, question]);
      await storage.write(id, [...before, question, answer]);
      return before.length;
    },
    async add(id, messages) {
      await storage.write(id, [...(await read(id)), ...messages]);
    },
    ids: async (id) => (await read(id)).map((message) => message.id),
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}
