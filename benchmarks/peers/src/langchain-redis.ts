import type { ChatMessage, Peer } from "./keeper.js";
import { versionOf } from "./version-of.js";

const MODULE = "@langchain/community/stores/message/ioredis";

/** A list in Redis for each conversation, an entry for each message. */
export const langChainRedis: Peer = {
  name: `LangChain's ioredis history ${versionOf(MODULE)}`,
  engine: "redis",
  writes: "each message",
  async open(url) {
    const { RedisChatMessageHistory } = await import("@langchain/community/stores/message/ioredis");
    const { AIMessage, HumanMessage } = await import("@langchain/core/messages");
    const { Redis } = await import("ioredis");
    const langChainMessage = ({ id, role, content }: ChatMessage) =>
      role === "user" ? new HumanMessage({ id, content }) : new AIMessage({ id, content });
    const client = new Redis(url);
    const of = (sessionId: string) => new RedisChatMessageHistory({ sessionId, client });
    return {
      async turn(id, { question, answer }) {
        const history = of(id);
        const before = await history.getMessages();
        await history.addMessage(langChainMessage(question));
        await history.addMessage(langChainMessage(answer));
        return before.length;
      },
      add: (id, messages) => of(id).addMessages(messages.map(langChainMessage)),
      ids: async (id) => (await of(id).getMessages()).map((message) => message.id ?? ""),
      async [Symbol.asyncDispose]() {
        await client.quit();
      },
    };
  },
};
