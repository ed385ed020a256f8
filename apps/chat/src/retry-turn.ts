import { answering } from "./answering.js";
import type { Chat } from "./chat.js";
import { useModel } from "./model/use-model.js";
import { showEvent } from "./show-event.js";
import { UsageError } from "./usage-error.js";

/** Asks the last question again, in place of its answer that did not come to its end. */
export async function retryTurn(chat: Chat, force: boolean): Promise<void> {
  await useModel(chat);
  const show = (event: Parameters<typeof showEvent>[0]) => showEvent(event, chat.screen);
  await answering(chat, async (signal) => {
    const again = () => chat.agent.recover({ strategy: "retry", force, signal });
    if ((await chat.tap.during(show, again)) === undefined)
      throw new UsageError("There is nothing to retry: the last answer is complete, or was kept as it is.");
  });
}
