import type { ChatMessage, Conversations } from "./keeper.js";

/** A key-value store for documents. */
export interface DocumentStorage extends AsyncDisposable {
  read(id: string): Promise<readonly ChatMessage[] | undefined>;
  write(id: string, messages: readonly ChatMessage[]): Promise<unknown>;
}

/** Conversations as documents: adding a message writes the whole document. A turn keeps what it has read. */
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
