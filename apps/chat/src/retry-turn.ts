import type { AgentEvent, CutOffTurn } from "@sessions/managed-agent";
import { answering } from "./answering.js";
import type { Chat } from "./chat.js";
import { useModel } from "./model/use-model.js";
import { showEvent } from "./show-event.js";

/**
 * Runs the last incomplete turn again, which replaces its answer. `dead` is a turn whose process is known to be dead. Returns
 * `false` if there is no such turn.
 */
export async function retryTurn(chat: Chat, dead?: CutOffTurn): Promise<boolean> {
  await useModel(chat);
  let nothing = false;
  await answering(chat, async (signal) => {
    const onEvent = (event: AgentEvent): void => showEvent(event, chat.screen);
    const options = { strategy: "retry", force: dead !== undefined, cutOff: dead, signal, onEvent } as const;
    nothing = (await chat.agent.recover(options)) === undefined;
  });
  return !nothing;
}
