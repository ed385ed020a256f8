import { openRedisStore } from "@sessions/redis";

/** How another process opens the same place. */
export function open(argument) {
  const { location, options } = JSON.parse(argument);
  return openRedisStore(location, options);
}
