import type { Json } from "@sessions/protocol";
import type { WorkerContext, Workload } from "../workload.js";
import { answerForever, streamForever } from "./answers.js";
import { setClock } from "./clock.js";
import { append, appendForever, appendOnce, read, replace } from "./messages.js";
import { archive, create, fork, list, remove, settings, watch, watchStore } from "./sessions.js";
import { completeTurn, holdTurn, interrupt, turnOnce, turns, writeInTurn, writeWithToken } from "./turns.js";

/** Does the work. */
export function perform(work: Workload, context: WorkerContext): Promise<Json> {
  switch (work.do) {
    case "append":
      return append(work, context);
    case "append-forever":
      return appendForever(work, context);
    case "append-once":
      return appendOnce(work, context);
    case "create":
      return create(work, context);
    case "replace":
      return replace(work, context);
    case "settings":
      return settings(work, context);
    case "archive":
      return archive(work, context);
    case "fork":
      return fork(work, context);
    case "delete":
      return remove(work, context);
    case "read":
      return read(work, context);
    case "list":
      return list(work, context);
    case "turns":
      return turns(work, context);
    case "turn-once":
      return turnOnce(work, context);
    case "answer-forever":
      return answerForever(work, context);
    case "stream-forever":
      return streamForever(work, context);
    case "hold-turn":
      return holdTurn(work, context);
    case "write-in-turn":
      return writeInTurn(work, context);
    case "write-with-token":
      return writeWithToken(work, context);
    case "complete-turn":
      return completeTurn(work, context);
    case "interrupt":
      return interrupt(work, context);
    case "set-clock":
      return setClock(work, context);
    case "watch":
      return watch(work, context);
    case "watch-store":
      return watchStore(work, context);
  }
}
