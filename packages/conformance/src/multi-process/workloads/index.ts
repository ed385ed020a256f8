import type { Json } from "@sessions/protocol";
import type { Workload, Workplace } from "../workload.js";
import { answerForever, streamForever } from "./answers.js";
import { setClock } from "./clock.js";
import { append, appendForever, appendOnce, read, replace } from "./messages.js";
import { archive, create, fork, list, remove, resume, settings, watch } from "./sessions.js";
import { hold, interrupt, letGo, turnOnce, turns, writeFenced, writeHeld } from "./turns.js";

/** Does what it is told: every kind of work has its line here. */
export function perform(work: Workload, place: Workplace): Promise<Json> {
  switch (work.do) {
    case "append":
      return append(work, place);
    case "append-forever":
      return appendForever(work, place);
    case "append-once":
      return appendOnce(work, place);
    case "create":
      return create(work, place);
    case "replace":
      return replace(work, place);
    case "settings":
      return settings(work, place);
    case "archive":
      return archive(work, place);
    case "fork":
      return fork(work, place);
    case "delete":
      return remove(work, place);
    case "read":
      return read(work, place);
    case "list":
      return list(work, place);
    case "turns":
      return turns(work, place);
    case "turn-once":
      return turnOnce(work, place);
    case "answer-forever":
      return answerForever(work, place);
    case "stream-forever":
      return streamForever(work, place);
    case "hold":
      return hold(work, place);
    case "write-held":
      return writeHeld(work, place);
    case "write-fenced":
      return writeFenced(work, place);
    case "let-go":
      return letGo(work, place);
    case "interrupt":
      return interrupt(work, place);
    case "set-clock":
      return setClock(work, place);
    case "watch":
      return watch(work, place);
    case "resume":
      return resume(work, place);
  }
}
