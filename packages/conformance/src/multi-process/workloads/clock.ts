import type { Perform } from "../workload.js";

const systemNow = Date.now;

export const setClock: Perform<"set-clock"> = async ({ aheadMs }) => {
  Date.now = () => systemNow() + aheadMs;
  return null;
};

/** The process may be reused for another case, which expects the system's clock. */
export function resetClock(): void {
  Date.now = systemNow;
}
