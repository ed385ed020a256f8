export type { Case, CaseContext, Guarantee, Section } from "./case.js";
export { conformance } from "./conformance.js";
export type { Control } from "./controls/control.js";
export { controls } from "./controls/index.js";
export type { Harness, OtherProcess, Place } from "./harness.js";
export * from "./history/index.js";
export { runCase } from "./run-case.js";
export { type Failure, type RunSectionOptions, runSection } from "./run-section.js";
export { sections } from "./sections/index.js";
