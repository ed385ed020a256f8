import { randomBytes } from "node:crypto";
import {
  type Clock,
  type LoopShare,
  loopShare,
  requireOptions,
  SessionError,
  systemClock,
} from "@sessions/protocol/backend";
import { clientFactory, locationOf } from "./engine/connect.js";
import { Deadline } from "./engine/deadline.js";
import { DEFAULT_PARTITIONS, Partitions } from "./engine/partitions.js";
import { checkPermissions } from "./engine/permissions.js";
import { Replication } from "./engine/replication.js";
import { PROBE } from "./engine/scripts.js";
import { Server } from "./engine/server.js";
import { asSessionError } from "./error-mapping.js";
import { Keys, markKey } from "./keys/keys.js";
import {
  REDIS_LOCATION,
  REDIS_STORE_OPTIONS,
  type RedisLocation,
  type RedisStoreOptions,
} from "./options.js";
import { Acknowledgements } from "./session/acknowledgements.js";
import { SessionCache } from "./session/session-cache.js";
import { Sessions } from "./session/sessions.js";
import { Burial } from "./upkeep/burial.js";
import { warnOfSettings } from "./upkeep/warn-of-settings.js";
import { Warnings } from "./upkeep/warnings.js";

const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024;
const MAX_PARTITIONS = 1024;

/** What the parts of an open store share. */
export interface RedisContext {
  readonly server: Server;
  /** Another connection to the same servers. */
  readonly openServer: () => Server;
  readonly partitions: Partitions;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly cache: SessionCache;
  readonly acknowledgements: Acknowledgements;
  readonly replication: Replication | undefined;
  readonly warnings: Warnings;
  readonly burial: Burial;
  readonly share: LoopShare;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly location: string;
  /** Names this store among all that are open. */
  readonly instanceId: string;
  /** A text that was never used before. */
  readonly nonce: () => string;
}

/** `inspect`: for tools. Nothing is created, and nothing is required to be there. */
type Manner = "use" | "inspect";

/** Connects to the server, and finds the store or creates it. */
export async function openRedisContext(
  uncheckedLocation: RedisLocation,
  uncheckedOptions: RedisStoreOptions,
  manner: Manner = "use",
): Promise<RedisContext> {
  refuseUrl(uncheckedLocation);
  const location = requireOptions(uncheckedLocation, REDIS_LOCATION, "location");
  const options = requireOptions(uncheckedOptions, REDIS_STORE_OPTIONS);
  const settings = checkedSettings(options);
  const { clock, deadlineMs } = settings;
  const factory = clientFactory(location, deadlineMs);
  const openServer = (): Server => new Server(factory, clock);
  const server = firstServer(openServer);
  const deadline = new Deadline(clock, deadlineMs);
  const warnings = new Warnings(options.onWarning);
  try {
    const { prefix, partitions: count } = settings;
    if (manner === "use") await checkUser(server, prefix, options, deadline);
    const context = {
      server,
      // A Cluster is known when it is connected.
      get location() {
        return locationOf(server.client);
      },
      warnings,
    };
    const partitions =
      manner === "use"
        ? await Partitions.open(context, prefix, count, deadline)
        : await Partitions.inspect(context, prefix, count, deadline);
    if (manner === "use") await warnOfSettings(context, options.onWarning !== undefined, deadline);
    return contextOf({ server, openServer, warnings }, partitions, settings);
  } catch (error) {
    server.close();
    throw asSessionError(error, locationOf(server.client));
  }
}

/** The URL is not repeated: it may hold a password. */
function refuseUrl(location: unknown): void {
  if (typeof location !== "string") return;
  const message = 'location must be a plain object, not a string. Write { url: "redis://…" }.';
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "location" });
}

/** Before anything is written: whether the server's user may do what the store needs. */
async function checkUser(
  server: Server,
  prefix: string,
  { replicas = 0 }: RedisStoreOptions,
  deadline: Deadline,
): Promise<void> {
  // However many partitions the store has, these are spread over all nodes of a Cluster.
  const { partitions, channel } = new Keys(prefix, DEFAULT_PARTITIONS);
  const keys = partitions.map(({ probe }) => probe);
  await checkPermissions(
    { server, location: locationOf(server.client), probe: PROBE, keys, channel },
    deadline,
  );
  // No script may call it. For no replica it waits not at all.
  if (replicas > 0) await server.query(deadline, (client) => client.wait(0, 1));
}

function contextOf(
  { server, openServer, warnings }: Pick<RedisContext, "server" | "openServer" | "warnings">,
  partitions: Partitions,
  { clock, deadlineMs, cacheBytes, replicas }: Settings,
): RedisContext {
  const { keys } = partitions;
  const location = locationOf(server.client);
  const instanceId = randomBytes(9).toString("base64url");
  let count = 0;
  const cache = new SessionCache(cacheBytes, () => server.epoch);
  const acknowledgements = new Acknowledgements((id) => cache.forget(id), clock);
  const monotonic = (): number => clock.monotonic();
  const read = {
    server,
    keys,
    cache,
    partitions,
    acknowledgements,
    instanceId,
    location,
    monotonic,
    share: loopShare,
  };
  const marks = (partition: number): string => markKey(keys.partition(partition), instanceId);
  const context = {
    server,
    openServer,
    partitions,
    keys,
    sessions: new Sessions(read),
    cache,
    acknowledgements,
    replication:
      replicas > 0 ? new Replication({ server, openServer, markKey: marks, replicas, clock }) : undefined,
    warnings,
    share: loopShare,
    clock,
    deadlineMs,
    location,
    instanceId,
    nonce: () => `${instanceId}${(++count).toString(36)}`,
  };
  return { ...context, burial: new Burial(context) };
}

/** ioredis refuses what it cannot use by throwing. Its error is not passed on: it may show the password. */
function firstServer(openServer: () => Server): Server {
  try {
    return openServer();
  } catch (error) {
    if (SessionError.is(error)) throw error;
    const message = "location cannot be used: check its url, nodes, name and client.";
    throw SessionError.of("INVALID_ARGUMENT", message, { path: "location" });
  }
}

interface Settings {
  readonly clock: Clock;
  readonly prefix: string;
  readonly partitions: number | undefined;
  readonly deadlineMs: number;
  readonly cacheBytes: number;
  readonly replicas: number;
}

function checkedSettings(options: RedisStoreOptions): Settings {
  const { clock = systemClock, prefix = "sessions", partitions } = options;
  return {
    clock,
    prefix: checkedPrefix(prefix),
    partitions:
      partitions === undefined ? undefined : checkedCount("partitions", partitions, 1, MAX_PARTITIONS),
    deadlineMs: checkedCount("deadlineMs", options.deadlineMs ?? DEFAULT_DEADLINE_MS, 1),
    cacheBytes: checkedCount("cacheBytes", options.cacheBytes ?? DEFAULT_CACHE_BYTES, 0),
    replicas: checkedCount("replicas", options.replicas ?? 0, 0),
  };
}

function checkedCount(
  name: keyof RedisStoreOptions,
  value: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const path = `options.${name}`;
  const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
  throw SessionError.of("INVALID_ARGUMENT", `${path} must be a whole number ${range}.`, { path });
}

function checkedPrefix(prefix: string): string {
  if (/^[^{}\s]+$/u.test(prefix)) return prefix;
  const message = "options.prefix must have no braces and no white space, and not be empty.";
  throw SessionError.of("INVALID_ARGUMENT", message, { path: "options.prefix" });
}
