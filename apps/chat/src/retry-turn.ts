import type { AgentEvent, CutOffTurn } from "@sessions/managed-agent";
import { answering } from "./answering.js";
import type { Chat } from "./chat.js";
import { useModel } from "./model/use-model.js";
import { showEvent } from "./show-event.js";

/**
 * Asks the last question again, in place of its answer that did not come to its end. `dead` is a turn whose process is
 * known to be gone. `false` if there is nothing to ask again.
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
