import { randomBytes } from "node:crypto";
import { type Clock, requireOptions, SessionError, systemClock } from "@sessions/protocol/backend";
import { Absences } from "./absences.js";
import { Acknowledgements } from "./acknowledgements.js";
import { clientFor, locationOf } from "./connect.js";
import { Deadline } from "./deadline.js";
import { asSessionError, newerFormat } from "./error-mapping.js";
import { FORMAT_VERSION } from "./format-version.js";
import { Keys } from "./keys.js";
import { Notes } from "./notes.js";
import {
  REDIS_LOCATION,
  REDIS_STORE_OPTIONS,
  type RedisLocation,
  type RedisStoreOptions,
} from "./options.js";
import { checkPermissions } from "./permissions.js";
import { Pruning } from "./pruning.js";
import { Replication } from "./replication.js";
import { Server } from "./server.js";
import { SessionCache } from "./session-cache.js";
import { SessionIndex } from "./session-index.js";
import { Sessions } from "./sessions.js";

const DEADLINE_MS = 10_000;
const CACHE_BYTES = 16 * 1024 * 1024;

/** What the parts of an open store share. */
export interface RedisContext {
  readonly server: Server;
  /** Another connection to the same place. */
  readonly openServer: () => Server;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly cache: SessionCache;
  readonly index: SessionIndex;
  readonly acknowledgements: Acknowledgements;
  readonly pruning: Pruning;
  readonly replication: Replication | undefined;
  readonly notes: Notes;
  readonly clock: Clock;
  readonly deadlineMs: number;
  readonly location: string;
  /** Names this store among all that are open. */
  readonly who: string;
  /** A text that was never used before. */
  readonly nonce: () => string;
}

/** Connects to the server, and looks whether its data can be used. */
export async function openRedisContext(
  uncheckedLocation: RedisLocation,
  uncheckedOptions: RedisStoreOptions,
): Promise<RedisContext> {
  const location = requireOptions(uncheckedLocation, REDIS_LOCATION, "location");
  const options = requireOptions(uncheckedOptions, REDIS_STORE_OPTIONS);
  const { clock = systemClock } = options;
  const deadlineMs = checkedCount("deadlineMs", options.deadlineMs ?? DEADLINE_MS, 1);
  const replicas = checkedCount("replicas", options.replicas ?? 0, 0);
  const cacheBytes = checkedCount("cacheBytes", options.cacheBytes ?? CACHE_BYTES, 0);
  const keys = new Keys(checkedPrefix(options.prefix ?? "sessions"));
  const openServer = (): Server => new Server(clientFor(location, deadlineMs), clock);
  const server = firstServer(openServer);
  const deadline = new Deadline(clock, deadlineMs);
  try {
    await connect(server, keys, deadline);
    await checkPermissions(server, keys, locationOf(server.client), deadline);
    // No script may call it. For no replica it waits not at all.
    if (replicas > 0) await server.query(deadline, (client) => client.wait(0, 1));
  } catch (error) {
    server.client.disconnect();
    throw asSessionError(error, locationOf(server.client));
  }
  const who = randomBytes(9).toString("base64url");
  let count = 0;
  const nonce = (): string => `${who}${(++count).toString(36)}`;
  const cache = new SessionCache(cacheBytes, () => server.epoch);
  const acknowledgements = new Acknowledgements((id) => cache.forget(id));
  const notes = new Notes(options.onWarning);
  const absences = new Absences(clock, () => server.epoch);
  const sessions = new Sessions({ server, keys, cache, absences, acknowledgements, who });
  return {
    server,
    openServer,
    keys,
    sessions,
    cache,
    index: new SessionIndex({ server, keys, notes, nonce }),
    acknowledgements,
    pruning: new Pruning({ server, keys, sessions, clock, deadlineMs, notes, nonce }),
    replication:
      replicas > 0 ? new Replication({ server, openServer, keys, replicas, who, clock }) : undefined,
    notes,
    clock,
    deadlineMs,
    location: locationOf(server.client),
    who,
    nonce,
  };
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

async function connect(server: Server, keys: Keys, deadline: Deadline): Promise<void> {
  server.begin();
  const format = await server.query(deadline, (client) => client.get(keys.shard(0).format));
  if (Number(format ?? 0) > FORMAT_VERSION) throw newerFormat(Number(format));
}

function checkedCount(name: keyof RedisStoreOptions, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  const path = `options.${name}`;
  throw SessionError.of("INVALID_ARGUMENT", `${path} must be a whole number of at least ${least}.`, { path });
}

function checkedPrefix(prefix: string): string {
  if (/^[^{}\s]+$/u.test(prefix)) return prefix;
  throw SessionError.of(
    "INVALID_ARGUMENT",
    "options.prefix must have no braces and no white space, and not be empty.",
    {
      path: "options.prefix",
    },
  );
}
