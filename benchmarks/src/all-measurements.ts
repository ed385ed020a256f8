import type { Measurement } from "./measurement.js";
import { applyCommitGrowth } from "./measurements/apply-commit.js";
import { togetherAgainst } from "./measurements/together-against.js";
import { conversationsAgainst, lateTurnsAgainst } from "./measurements/turns-against.js";
import { pairs } from "./peers/pairs.js";
import { stores } from "./stores/stores.js";

/** All measurements, in the order of the page. */
export const allMeasurements: readonly Measurement[] = [
  applyCommitGrowth(10_000),
  applyCommitGrowth(100_000),
  ...stores.flatMap((store) => store.measurements()),
  ...pairs.map(conversationsAgainst),
  ...pairs.map(lateTurnsAgainst),
  ...pairs.map(togetherAgainst),
];
