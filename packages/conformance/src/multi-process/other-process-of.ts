import type { OtherProcess, Place } from "../harness.js";

/** How another process opens the data of a place. Throws if the harness does not say so. */
export function otherProcessOf({ otherProcess }: Place): OtherProcess {
  if (otherProcess === undefined)
    throw new Error("the harness does not say how another process opens the data");
  return otherProcess;
}
