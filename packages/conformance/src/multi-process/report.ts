import type { Json } from "@sessions/protocol";
import type { HistoryEvent } from "../history/history-event.js";

/** What a worker tells the kit, one JSON line each. */
export type Report =
  | { readonly type: "ready" }
  | { readonly type: "event"; readonly event: HistoryEvent }
  | { readonly type: "note"; readonly work: number; readonly note: Json }
  | { readonly type: "done"; readonly work: number; readonly answer: Json }
  | { readonly type: "failed"; readonly work: number; readonly message: string };

/** What the kit tells a worker, one JSON line each. */
export interface Order<Work> {
  readonly work: number;
  readonly load: Work;
}

/** The file descriptor for reports: not stdout, which belongs to whatever the store may print. */
export const REPORT_FD = 3;
