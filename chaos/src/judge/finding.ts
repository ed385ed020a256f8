import type { Violation, ViolationKind } from "@sessions/conformance/multi-process";
import type { UnexpectedError } from "../log/log-line.js";

/** A violation that a run has found. The kinds are those of the history checker and of the other checks. */
export interface Finding extends Omit<Violation, "kind"> {
  readonly kind:
    | ViolationKind
    /** A listing without a session that exists, or with one that no process created. */
    | "listing"
    /** A change that a watcher never received, or one that no process made. */
    | "feed"
    /** An answer to another prompt, or another user's message in a conversation. */
    | "mixed"
    /** A wrong outcome reported to a caller. */
    | "outcome"
    /** Counters that do not match the answers. */
    | "usage"
    /** An update that no delivery settles, or a turn that never ends. */
    | "unsettled"
    /** `verify` found damage. */
    | "verification"
    /** A call or a worker failed in a way that no store may. */
    | "unexpected-error";
}

/** An unexpected error of the log as a finding. */
export function unexpectedErrorFinding({ process, session, detail }: UnexpectedError): Finding {
  return { kind: "unexpected-error", session, detail: `${process}: ${detail}` };
}
