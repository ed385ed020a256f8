export type { Case, CaseContext, Guarantee, Section } from "./case.js";
export { conformance } from "./conformance.js";
export type { Control } from "./controls/control.js";
export { controls } from "./controls/index.js";
export type {
  ExpectedFailure,
  FailingBackend,
  Harness,
  NoHook,
  OtherProcess,
  Place,
  RemovePart,
  WriteFailure,
} from "./harness.js";
export { checkHistory } from "./history/check-history.js";
export type * from "./history/history-event.js";
export { runCase } from "./run-case.js";
export { type Failure, type RunSectionOptions, runSection } from "./run-section.js";
export { sections } from "./sections/index.js";
