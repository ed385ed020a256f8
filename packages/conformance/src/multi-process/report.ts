import type { Json } from "@sessions/protocol";
import type { OtherProcess } from "../harness.js";
import type { HistoryEvent } from "../history/history-event.js";
import type { Workload } from "./workload.js";

/** What a worker tells the kit, one JSON line each. */
export type Report =
  | { readonly type: "opened" }
  | { readonly type: "closed" }
  | { readonly type: "event"; readonly event: HistoryEvent }
  | { readonly type: "note"; readonly work: number; readonly note: Json }
  | { readonly type: "done"; readonly work: number; readonly answer: Json }
  | { readonly type: "failed"; readonly work: number; readonly message: string };

/** What the kit tells a worker, one JSON line each. */
export type Order =
  /** Opens a store, as a process of that name. The one before must have been closed. */
  | { readonly order: "open"; readonly name: string; readonly how: OtherProcess }
  | { readonly order: "work"; readonly work: number; readonly load: Workload }
  | { readonly order: "close" };

/** The file descriptor for reports: not stdout, which belongs to whatever the store may print. */
export const REPORT_FD = 3;
