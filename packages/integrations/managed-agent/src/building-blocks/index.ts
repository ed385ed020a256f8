export { invalid, isRecord, requireCount, requireFunction, requireName, requireRecord } from "../argument.js";
export { stateOf } from "../session/agent-record.js";
export { isPrompt, promptOf, turnIdOf } from "../session/turn-marks.js";
export { type Condensing, condense } from "../turn/condense.js";
export { HeldRun, type HeldRunPlan, type TurnEnd } from "../turn/held-run.js";
export { answerText } from "../turn/result-of.js";
export { type Entry, withAnswers } from "../turn/tidied.js";
export type { Emit } from "../turn/turn-request.js";
