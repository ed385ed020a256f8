import type { Violation, ViolationKind } from "@sessions/conformance/multi-process";
import type { Surprise } from "../log/log-line.js";

/** What a run shows to have gone wrong: what the checker of histories knows, and more. */
export interface Finding extends Omit<Violation, "kind"> {
  readonly kind:
    | ViolationKind
    /** A listing without a session that exists, or with one that nobody made. */
    | "listing"
    /** A change that a watcher was never given, or one that nobody made. */
    | "feed"
    /** An answer to another question than its own, or another user's message in a conversation. */
    | "mixed"
    /** An outcome that its caller should not have been told. */
    | "outcome"
    /** Counters that do not agree with the answers. */
    | "usage"
    /** An update that no delivery settles, or a turn that never ends. */
    | "unsettled"
    /** `verify` found harm. */
    | "verification"
    /** A call or a worker failed in a way that no store may. */
    | "surprise";
}

/** A surprise of the log as a finding. */
export function surprising({ process, session, detail }: Surprise): Finding {
  return { kind: "surprise", session, detail: `${process}: ${detail}` };
}
