import { openRedisStore } from "@sessions/redis";

/** How another process opens the same place. */
export function open(argument) {
  const { url, options } = JSON.parse(argument);
  return openRedisStore({ url }, options);
}
