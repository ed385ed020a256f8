export { defineConfig, type SessionsConfig } from "./define-config.js";
export type { OpenOptions } from "./open-options.js";
export { openStore } from "./open-store.js";
export {
  count,
  flag,
  live,
  mode,
  type OptionRule,
  type OptionRules,
  type OptionsOf,
  oneOf,
  secret,
  text,
} from "./option-rule.js";
export { type ResolvedStore, resolveStore } from "./resolve-store.js";
export {
  type GivenOptions,
  type OpenMode,
  type StoreKind,
  type StoreKindDefinition,
  type Surroundings,
  storeKind,
} from "./store-kind.js";
export type { StoreObject, StoreTarget } from "./store-target.js";
export type { LostCommit, Quarantined, Rescue, StoreTools, Suspect } from "./store-tools.js";
export type { StoreUrl } from "./store-url.js";
export type { StoreWarning } from "./store-warning.js";
