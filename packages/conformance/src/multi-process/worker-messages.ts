import type { Json } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import type { HistoryEvent } from "../history/history-event.js";
import type { Workload } from "./workload.js";

/** A message from a worker to the kit: one JSON line. */
export type Report =
  | { readonly type: "opened" }
  | { readonly type: "closed" }
  | { readonly type: "event"; readonly event: HistoryEvent }
  | { readonly type: "note"; readonly work: number; readonly note: Json }
  | { readonly type: "done"; readonly work: number; readonly answer: Json }
  | { readonly type: "failed"; readonly work: number; readonly message: string };

/** A message from the kit to a worker: one JSON line. */
export type Command =
  /** Opens a store. `name` is the process's name in the log. The store before must have been closed. */
  | { readonly type: "open"; readonly name: string; readonly how: OtherProcess }
  | { readonly type: "work"; readonly work: number; readonly load: Workload }
  | { readonly type: "close" };

/** The file descriptor for reports. Not stdout: a store may print to it. */
export const REPORT_FD = 3;
