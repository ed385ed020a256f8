/** The same for the Redis store, for as long as that is not a package of this workspace. */
declare module "@sessions/redis" {
  export function openRedisStore(
    connection: object,
    options?: object,
  ): Promise<import("@sessions/protocol").SessionStore>;
}
