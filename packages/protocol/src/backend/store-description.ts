import type { Capabilities } from "./capabilities.js";

/** What a store is and what it guarantees, as measured, not as configured. */
export interface StoreDescription {
  /** The kind of store: `memory`, `json-file`, `sqlite`, `redis`… */
  readonly store: string;
  /** Where the data is, without secrets. */
  readonly location: string;
  readonly format: { readonly version: number; readonly supported: number };
  readonly durability: {
    /** What an acknowledged commit survives at least. */
    readonly survives: "nothing" | "process" | "machine" | "replica-loss";
    /** The same in a sentence, with what can still be lost. */
    readonly detail: string;
  };
  readonly capabilities: Capabilities;
  readonly healthy: boolean;
  /** What an operator should know or change. */
  readonly warnings: readonly string[];
}
