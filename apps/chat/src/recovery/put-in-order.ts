import type { CutOffTurn, Resumed } from "@sessions/managed-agent";
import type { Chat } from "../chat.js";
import { harmlessLine } from "../terminal/harmless.js";
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
  const running = cutOff.status === "running";
  const owner = session.turn?.owner;
  if (!running || isGone(owner, chat.host)) return await recoverCutOff(chat, cutOff, running);
  chat.screen.remark(`Another process is answering here (${harmlessLine(owner ?? "unnamed")}):`);
  if (!(await followOther(chat, owner))) return false;
  return await putInOrder(chat, await chat.agent.resume(session.id));
}

/** It failed or was interrupted while somebody watched: they know. */
const hasEnded = ({ status }: CutOffTurn): boolean => status === "failed" || status === "interrupted";
