import type { StoreKind } from "./store-kind.js";
import type { StoreTarget } from "./store-target.js";

/** What a `sessions.config.ts`, `.js` or `.json` holds. Relative paths begin at its folder. */
export interface SessionsConfig {
  /** The schema, for editors. */
  readonly $schema?: string;
  /** Which store. */
  readonly store: StoreTarget;
  /** Kinds of store of your own. */
  readonly stores?: readonly StoreKind[];
}

/**
 * A config with its type, for a `sessions.config.ts`.
 *
 * @example
 * ```ts
 * export default defineConfig({ store: { store: "sqlite", path: "./sessions.db", search: true } });
 * ```
 */
export function defineConfig(config: SessionsConfig): SessionsConfig {
  return config;
}
