import type { CutOffTurn, Resumed } from "@sessions/managed-agent";
import type { Chat } from "../chat.js";
import { followOther } from "./follow-other.js";
import { isGone } from "./owner.js";
import { recoverCutOff } from "./recover-cut-off.js";

/**
 * Handles an incomplete turn. If its process is dead, the user decides how it is recovered. If another process runs it, it is
 * followed to its end, or until that process dies. Returns `false` if the user has left it as it is.
 */
export async function putInOrder(chat: Chat, resumed: Resumed): Promise<boolean> {
  const { cutOff, session } = resumed;
  if (cutOff === undefined || hasEnded(cutOff)) return true;
  const isDead = cutOff.status === "expired" || isGone(cutOff.owner, chat.host);
  const seenTo = isDead ? await recoverCutOff(chat, cutOff) : await followOther(chat, session);
  return seenTo && (await putInOrder(chat, await chat.agent.resume(session.id)));
}

/** Whether the turn failed or was interrupted, which the user has seen. */
const hasEnded = ({ status }: CutOffTurn): boolean => status === "failed" || status === "interrupted";
