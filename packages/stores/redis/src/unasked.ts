import type { Lookups, WindowHead } from "./moment.js";

/** A window that was not asked for. Whoever judged a commit by it would know nothing of any. */
export function unaskedWindow(revision: number): WindowHead {
  return {
    revision,
    isLive: true,
    expiresAt: undefined,
    deletedAt: undefined,
    givenHorizon: Number.POSITIVE_INFINITY,
    generatedHorizon: Number.POSITIVE_INFINITY,
  };
}

/** Nothing was looked up. */
export const NO_LOOKUPS: Lookups = { fields: new Map(), memories: new Map() };
