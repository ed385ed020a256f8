import type { createBotSession } from "@sessions/bot-session";
import type { createManagedAgent } from "@sessions/managed-agent";
import type { Clock, ErrorCode, SessionStore } from "@sessions/protocol";
import type { Surroundings } from "../nemesis/surroundings.js";

/** How a store's servers stand: one alone, a primary with a replica and Sentinels, or a Cluster. */
export const SERVER_LAYOUTS = ["one", "sentinel", "cluster"] as const;

export type ServerLayout = (typeof SERVER_LAYOUTS)[number];

/** What a store module exports, so that workers can open it. */
export interface ChaosStore {
  /** Opens the store on the run's folder. Every worker does; the data is the same for all. */
  open(folder: string, clock: Clock): Promise<SessionStore>;
  /** Codes that this store may answer with under these conditions, beyond those that any store may. */
  readonly tolerates?: readonly ErrorCode[];
  /** Why a watcher of this store cannot be resumed exactly, where it cannot. Then nothing is watched. */
  readonly noFeeds?: string;
  /** Instead of the packages' own: a twin that must be caught. */
  readonly createBotSession?: typeof createBotSession;
  readonly createManagedAgent?: typeof createManagedAgent;
  /** Where the store is not the folder alone: starts what it needs, once, before anybody opens it. */
  surround?(folder: string, layout: ServerLayout): Promise<Surroundings>;
}
