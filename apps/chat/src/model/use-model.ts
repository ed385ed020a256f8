import { isDeepStrictEqual } from "node:util";
import type { Chat } from "../chat.js";

/** Changes the stored config of a conversation to the model of this process, which answers from now on. */
export async function useModel({ agent, model }: Pick<Chat, "agent" | "model">): Promise<void> {
  if (!isDeepStrictEqual(agent.config, model.config)) await agent.updateAgent(model.config);
}
