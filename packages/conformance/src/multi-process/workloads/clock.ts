import type { Perform } from "../workload.js";

const systemNow = Date.now;

export const setClock: Perform<"set-clock"> = async ({ aheadMs }) => {
  Date.now = () => systemNow() + aheadMs;
  return null;
};

/** A worker may open another store afterwards, for a case that knows nothing of this. */
export function resetClock(): void {
  Date.now = systemNow;
}
