import type { CutOffTurn, Resumed } from "@sessions/managed-agent";
import type { Chat } from "../chat.js";
import { followOther } from "./follow-other.js";
import { isGone } from "./owner.js";
import { recoverCutOff } from "./recover-cut-off.js";

/**
 * Sees to a turn that did not come to its end. One whose process is dead is put in order as the user wishes; one that
 * another process is running is followed to its end, which may be that its process dies. `false` if the user left it
 * as it is.
 */
export async function putInOrder(chat: Chat, resumed: Resumed): Promise<boolean> {
  const { cutOff, session } = resumed;
  if (cutOff === undefined || hasEnded(cutOff)) return true;
  const isDead = cutOff.status === "expired" || isGone(cutOff.owner, chat.host);
  const seenTo = isDead ? await recoverCutOff(chat, cutOff) : await followOther(chat, session);
  return seenTo && (await putInOrder(chat, await chat.agent.resume(session.id)));
}

/** It failed or was interrupted while somebody watched: they know. */
const hasEnded = ({ status }: CutOffTurn): boolean => status === "failed" || status === "interrupted";
