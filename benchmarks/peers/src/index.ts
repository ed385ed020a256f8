export { grammyFile } from "./grammy-file.js";
export { grammyRedis } from "./grammy-redis.js";
export type { ChatMessage, Conversations, Exchange, Keeper, Peer, Writes } from "./keeper.js";
export { keyvRedis } from "./keyv-redis.js";
export { langChainRedis } from "./langchain-redis.js";
export { langGraphSqlite } from "./langgraph-sqlite.js";
