import { isDeepStrictEqual } from "node:util";
import type { Chat } from "../chat.js";

/** A conversation keeps the config that it had. Today's model may be another: it is the one that answers from here on. */
export async function useModel({ agent, model }: Pick<Chat, "agent" | "model">): Promise<void> {
  if (!isDeepStrictEqual(agent.config, model.config)) await agent.updateAgent(model.config);
}
