import type { Violation, ViolationKind } from "@sessions/conformance/multi-process";

/** What a run shows to have gone wrong: what the checker of histories knows, and more. */
export interface Finding extends Omit<Violation, "kind"> {
  readonly kind:
    | ViolationKind
    /** A listing without a session that exists, or with one that nobody made. */
    | "listing"
    /** A change that a watcher was never given, or one that nobody made. */
    | "feed"
    /** `verify` found harm. */
    | "verification"
    /** A call or a worker failed in a way that no store may. */
    | "surprise";
}
