import type { RedisServer } from "../redis-server.js";

/** Starts servers at the same time: all of them, or none is left running. */
export async function startTogether(
  starts: readonly Promise<RedisServer>[],
): Promise<readonly RedisServer[]> {
  const settled = await Promise.allSettled(starts);
  const started = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = settled.find((one) => one.status === "rejected");
  if (failed === undefined) return started;
  await stopTogether(started);
  throw failed.reason;
}

export async function stopTogether(servers: readonly RedisServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
