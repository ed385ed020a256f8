import type { OptionNames } from "@sessions/protocol/integration";
import type { StoreKind } from "./store-kind.js";
import type { StoreWarning } from "./store-warning.js";

/** Options of `openStore`. */
export interface OpenOptions {
  /** Your own kinds of store. They take precedence over those of this package. */
  readonly stores?: readonly StoreKind[] | undefined;
  /** The folder for config files, store packages and relative paths. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** The name of the target in messages, such as that of a command-line option. @default "target" */
  readonly targetName?: string | undefined;
  /** The environment with SESSIONS_STORE. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Gets the warnings of stores that have no `onWarning` in their target. @default none */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
  /** Called if no target is set and the default is used. @default a warning of Node.js */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

export const OPEN_OPTIONS: OptionNames<OpenOptions> = {
  stores: "object",
  cwd: "text",
  targetName: "text",
  env: "object",
  onWarning: "function",
  onNotice: "function",
};
