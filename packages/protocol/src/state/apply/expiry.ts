import type { SetOperation } from "../../operations/operation.js";
import type { SessionFields } from "../../session/session-fields.js";
import { type OperationContext, refusal } from "../operation-context.js";
import type { LiveState } from "../session-state.js";

/** When a session expires, and whether each use postpones that. */
export type Expiry = Pick<SessionFields, "expiresAt" | "expiresIn" | "renewOnUse">;

/** The expiry after a `set`. An absolute expiry, or none, replaces a relative one and its `renewOnUse`. */
export function expiryAfter(before: Expiry, op: SetOperation, context: OperationContext): Expiry {
  if (op.expiresAt === null || op.expiresIn === null) return {};
  if (op.expiresAt !== undefined) return { expiresAt: op.expiresAt };
  const expiresIn = op.expiresIn ?? before.expiresIn;
  const expiresAt = op.expiresIn === undefined ? before.expiresAt : context.at + op.expiresIn;
  const renewOnUse = op.renewOnUse ?? before.renewOnUse ?? false;
  if (renewOnUse && expiresIn === undefined) throw withoutLength(context);
  return {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(expiresIn === undefined ? {} : { expiresIn }),
    ...(renewOnUse ? { renewOnUse } : {}),
  };
}

export function sameExpiry(a: Expiry, b: Expiry): boolean {
  return a.expiresAt === b.expiresAt && a.expiresIn === b.expiresIn && a.renewOnUse === b.renewOnUse;
}

/**
 * The expiry after a commit that uses the session. It never moves closer: the wall clocks of two writers differ, and a
 * clock may be set back.
 */
export function expiryAfterUse({ expiresAt, expiresIn, renewOnUse }: Expiry, at: number): number | undefined {
  if (renewOnUse !== true || expiresIn === undefined) return expiresAt;
  return Math.max(expiresAt ?? 0, at + expiresIn);
}

/** The session after a use at this time. */
export function used(state: LiveState, at: number): LiveState {
  const expiresAt = expiryAfterUse(state, at);
  return expiresAt === undefined || expiresAt === state.expiresAt ? state : { ...state, expiresAt };
}

function withoutLength(context: OperationContext): Error {
  const message = "renewOnUse needs a relative expiry: give expiresIn with it, or before it.";
  return refusal(context, "INVALID_ARGUMENT", message, { path: "renewOnUse" });
}
