import type { OptionNames } from "@sessions/protocol/integration";
import type { StoreKind } from "./store-kind.js";
import type { StoreWarning } from "./store-warning.js";

/** How `openStore` finds a store. */
export interface OpenOptions {
  /** Kinds of store of your own. They come before those that this package knows. */
  readonly stores?: readonly StoreKind[] | undefined;
  /** Where to look for a config file and for store packages, and where relative paths begin. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** Where SESSIONS_STORE is looked for. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Told what an operator should know, by stores that warn. Their `onWarning`, if the target gives none. @default none */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
  /** Told when nobody said which store, and the default is used. @default a warning of Node's */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

export const OPEN_OPTIONS: OptionNames<OpenOptions> = {
  stores: "object",
  cwd: "text",
  env: "object",
  onWarning: "function",
  onNotice: "function",
};
