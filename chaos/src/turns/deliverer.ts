import type { Clock, SessionStore } from "@sessions/protocol";
import type { ChaosStore } from "../stores/chaos-store.js";
import type { DeliveryRecorder } from "./delivery-recorder.js";
import type { Script, ScriptedModel } from "./scripted-model.js";
import type { Update } from "./update.js";

/** Delivers updates, as a platform does: to bots or to agents. */
export interface Deliverer {
  deliver(update: Update): Promise<void>;
  /** Does what may happen between two deliveries of an update: users are linked, a turn that was cut off is recovered. */
  meddle(update: Update): Promise<void>;
}

/** What a deliverer works with. */
export interface DeliveryPlace extends Pick<Script, "process" | "random" | "write"> {
  readonly module: ChaosStore;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly recorder: DeliveryRecorder;
  readonly model: ScriptedModel;
}

/** Far longer than a turn, shorter than a run. */
export const DEADLINE_MS = 8000;

/** Partial answers are in the store almost at once, so that a kill leaves some. */
export const CHECKPOINT = { everyMs: 5, everyChars: 1 } as const;

export function textOf({ number, isReset }: Update): string {
  return isReset ? "/new" : `update ${number}`;
}
