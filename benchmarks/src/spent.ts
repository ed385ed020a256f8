/** Reads a clock, in milliseconds. */
export type Clock = () => number;

/** Time that has passed. */
export const elapsedMs: Clock = () => performance.now();

/** Time for which this process has kept processors busy, all its threads counted. */
export const cpuMs: Clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
