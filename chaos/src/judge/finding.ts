import type { Violation, ViolationKind } from "@sessions/conformance/multi-process";
import type { Surprise } from "../log/log-line.js";

/** A violation that a run has found: those of the history checker, and more. */
export interface Finding extends Omit<Violation, "kind"> {
  readonly kind:
    | ViolationKind
    /** A listing without a session that exists, or with one that no process created. */
    | "listing"
    /** A change that a watcher never received, or one that no process made. */
    | "feed"
    /** An answer to another question than its own, or another user's message in a conversation. */
    | "mixed"
    /** A wrong outcome reported to a caller. */
    | "outcome"
    /** Counters that do not agree with the answers. */
    | "usage"
    /** An update that no delivery settles, or a turn that never ends. */
    | "unsettled"
    /** `verify` found damage. */
    | "verification"
    /** A call or a worker failed in a way that no store may. */
    | "surprise";
}

/** A surprise of the log as a finding. */
export function surprising({ process, session, detail }: Surprise): Finding {
  return { kind: "surprise", session, detail: `${process}: ${detail}` };
}
