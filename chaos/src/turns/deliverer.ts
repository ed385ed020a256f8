import type { Clock, SessionStore } from "@sessions/protocol";
import type { ChaosStore } from "../stores/chaos-store.js";
import type { DeliveryRecorder } from "./delivery-recorder.js";
import type { Script, ScriptedModel } from "./scripted-model.js";
import type { Update } from "./update.js";

/** Delivers updates to bots or to agents, as a platform does. */
export interface Deliverer {
  deliver(update: Update): Promise<void>;
  /** What may happen between two deliveries of an update: bots link two users, agents recover a turn that was cut off. */
  linkOrRecover(update: Update): Promise<void>;
}

/** What a deliverer works with. */
export interface DeliveryContext extends Pick<Script, "process" | "random" | "write"> {
  readonly module: ChaosStore;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly recorder: DeliveryRecorder;
  readonly model: ScriptedModel;
}

/** Much longer than a turn, shorter than a run. */
export const DEADLINE_MS = 8000;

/** Frequent, so that kills leave partial answers in the store. */
export const CHECKPOINT = { everyMs: 5, everyChars: 1 } as const;

export function textOf({ number, isReset }: Update): string {
  return isReset ? "/new" : `update ${number}`;
}
