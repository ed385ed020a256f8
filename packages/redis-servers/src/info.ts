import type { RedisServer } from "./redis-server.js";

/** The lines `name:value` that INFO and CLUSTER INFO answer with. */
export async function info(
  server: RedisServer,
  ...command: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const lines = String(await server.call(...command)).split("\r\n");
  return new Map(
    lines.flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const];
    }),
  );
}
