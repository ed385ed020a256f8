/** A command on its way through the proxy. */
export interface Passing {
  /** The command's words, as the client sent them. On a reply without a command (a message to a subscriber): none. */
  readonly command: readonly string[];
  /** Which connection it came on, from 1. */
  readonly connection: number;
}

/**
 * What to do to a command or to its reply.
 *
 * - `cut`: it is swallowed, and the connection is cut.
 * - `tear`: the first half of its bytes passes, then the connection is cut.
 * - `stall`: it and all that comes after it in its direction waits until the fault is lifted.
 * - `delay`: the same, for so many milliseconds.
 */
export type Act = "cut" | "tear" | "stall" | { readonly delayMs: number };

/** A disturbance to come. */
export interface FaultPlan {
  /** On a `request` the server does not see it; on a `reply` the server has done what it was asked. */
  readonly on: "request" | "reply";
  readonly act: Act;
  /** Which ones. Without it: any. */
  readonly when?: (passing: Passing) => boolean;
  /** How many of those pass first (default 0). */
  readonly after?: number;
  /** How many are struck (default 1). */
  readonly times?: number;
}

/** A fault that was planned: it counts what it met, and can be waited for and lifted. */
export class Fault {
  readonly plan: FaultPlan;
  /** Resolves when it has struck for the first time. */
  readonly struck: Promise<void>;
  /** Resolves when it is lifted. */
  readonly lifted: Promise<void>;
  #tellStruck: () => void = () => undefined;
  #tellLifted: () => void = () => undefined;
  #met = 0;
  #strikes = 0;
  #active = true;

  constructor(plan: FaultPlan) {
    this.plan = plan;
    this.struck = new Promise((resolve) => {
      this.#tellStruck = resolve;
    });
    this.lifted = new Promise((resolve) => {
      this.#tellLifted = resolve;
    });
  }

  /** How often it has struck. */
  get strikes(): number {
    return this.#strikes;
  }

  /** Strikes no more, and lets pass what it stalls. */
  lift(): void {
    this.#active = false;
    this.#tellLifted();
  }

  /** Whether it strikes this one. It is asked once about each, and counts. */
  strike(on: FaultPlan["on"], passing: Passing): boolean {
    const { plan } = this;
    if (!this.#active || plan.on !== on || plan.when?.(passing) === false) return false;
    const met = this.#met++ - (plan.after ?? 0);
    if (met < 0 || met >= (plan.times ?? 1)) return false;
    this.#strikes++;
    this.#tellStruck();
    return true;
  }
}
