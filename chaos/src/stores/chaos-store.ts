import type { createBotSession } from "@sessions/bot-session";
import type { createManagedAgent } from "@sessions/managed-agent";
import type { Clock, ErrorCode, SessionStore } from "@sessions/protocol";
import type { StoreServer } from "../nemesis/store-server.js";

/** How a store's servers stand: one alone, a primary with a replica and Sentinels, or a Cluster. */
export const SERVER_LAYOUTS = ["one", "sentinel", "cluster"] as const;

export type ServerLayout = (typeof SERVER_LAYOUTS)[number];

/** What a store module exports, so that workers can open it. */
export interface ChaosStore {
  /** Opens the store on the run's folder. Every worker calls it with the same folder. */
  open(folder: string, clock: Clock): Promise<SessionStore>;
  /** Error codes that this store may throw in a run, besides those that any store may. */
  readonly tolerates?: readonly ErrorCode[];
  /** The reason why a watcher of this store cannot be resumed exactly. If set, nothing is watched. */
  readonly noFeeds?: string;
  /** Replace the functions of the packages, for tests with broken bots and agents. */
  readonly createBotSession?: typeof createBotSession;
  readonly createManagedAgent?: typeof createManagedAgent;
  /** Starts the servers that the store needs, once, before any worker opens the store. */
  surround?(folder: string, layout: ServerLayout): Promise<StoreServer>;
}
