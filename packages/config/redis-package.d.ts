/** The same for the Redis store, for as long as that is not a package of this workspace. */
declare module "@sessions/redis" {
  export type RedisLocation =
    | { readonly url: string; readonly redis?: object }
    | { readonly client: object }
    | { readonly sentinels: readonly object[]; readonly name: string; readonly redis?: object }
    | { readonly cluster: readonly object[]; readonly clusterOptions?: object };
  export function openRedisStore(
    location: RedisLocation,
    options?: object,
  ): Promise<import("@sessions/protocol").SessionStore>;
}
