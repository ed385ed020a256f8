import type { RedisClient } from "@sessions/redis";
import { invalid } from "../invalid.js";
import { count, flag, live, type OptionRule, type OptionsOf, secret, text } from "../option-rule.js";
import { type StoreKind, type Surroundings, storeKind } from "../store-kind.js";
import { hostsOf, type StoreUrl } from "../store-url.js";
import type { StoreWarning } from "../store-warning.js";
import { commonOptions } from "./common-options.js";

interface Host {
  readonly host: string;
  readonly port?: number;
}

const SENTINEL_PORT = 26_379;
const LOCALHOST: Host = { host: "localhost" };

const load = (around: Surroundings) => around.load("@sessions/redis", () => import("@sessions/redis"));

const loadMaintenance = (around: Surroundings) =>
  around.load("@sessions/redis/maintenance", () => import("@sessions/redis/maintenance"));

const OPTIONS = {
  host: text("the name or address of the server"),
  port: count("The server's port."),
  sentinels: hosts("The Sentinels' hosts and ports."),
  name: text("the name of the primary at the Sentinels"),
  cluster: hosts("Hosts and ports of some nodes of the Cluster."),
  username: text("the name of an ACL user"),
  password: secret("the password"),
  sentinelPassword: secret("the password of the Sentinels"),
  db: count("The number of the database."),
  tls: flag("Whether to use TLS."),
  client: live<RedisClient>("an ioredis client"),
  prefix: text("the beginning of all keys, such as chats"),
  partitions: count(
    "Over how many partitions sessions are spread: at least 8 for each primary. It is fixed when the store is created.",
  ),
  deadlineMs: count("How long a call may take, in milliseconds."),
  replicas: count("How many replicas must have a commit before it is acknowledged."),
  cacheBytes: count("How much of the messages is kept in memory."),
  onWarning: live<(warning: StoreWarning) => void>("a function"),
  ...commonOptions,
};

type RedisOptions = OptionsOf<typeof OPTIONS>;

/** `redis://`, `rediss://`, `redis+sentinel://`, `redis+cluster://`, and the last two with TLS. */
export const redisKind: StoreKind = storeKind({
  name: "redis",
  schemes: ["redis", "rediss", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster"],
  options: OPTIONS,
  fromUrl,
  locate: (options, { path }) => `redis ${serversOf(options, path).map(hostAndPort).join(",")}`,
  async open(options, around) {
    const { openRedisStore } = await load(around);
    const { location, rest } = locationOf(options, around);
    return openRedisStore(location, rest);
  },
  async tools(options, around) {
    const { checkIndex, repairIndex, sessionIds, setDamagedSessionAside } = await loadMaintenance(around);
    const { location, rest } = locationOf(options, around);
    return {
      async *suspects() {
        for await (const sessionId of sessionIds(location, rest)) yield { sessionId, place: "redis" };
      },
      async problems() {
        const problems = await checkIndex(location, rest);
        return problems.map(({ partition, problem }) => `The index of ${partition}: ${problem}.`);
      },
      async discard(sessionId) {
        const names = await setDamagedSessionAside(location, { ...rest, sessionId });
        return names.length === 0 ? "None of its keys was left." : `Its keys are now ${names.join(" and ")}.`;
      },
      rebuild: async () => describeRepair(await repairIndex(location, rest)),
    };
  },
});

type Repaired = Awaited<ReturnType<typeof import("@sessions/redis/maintenance")["repairIndex"]>>;

function describeRepair({ problems, entered, lost, damaged, setAside }: Repaired): readonly string[] {
  const partitions = new Set(problems.map(({ partition }) => partition)).size;
  const isDone = partitions > 0 || entered > 0;
  return [
    ...(isDone
      ? [`The index was built anew in ${partitions} places; ${entered} sessions were entered.`]
      : []),
    ...setAside.map((key) => `A value of another program was in the way. It is now in ${key}.`),
    ...damaged.map((id) => `Session ${id} is damaged itself, and is left as it is.`),
    ...lost.map(
      (id) => `Nothing is left of session ${id}. It was taken out of the index: import it from a backup.`,
    ),
  ];
}

/** The options of a store, with a location in place of the options for hosts. */
function locationOf(
  { host, port, sentinels, name, cluster, client, ...options }: RedisOptions,
  { path }: Surroundings,
) {
  const { username, password, sentinelPassword, db, tls, ...rest } = options;
  const [first] = serversOf({ host, port, sentinels, cluster, client }, path);
  if (client !== undefined) return { location: { client }, rest };
  const login = present({ username, password, db, tls: tls === true ? {} : undefined });
  if (cluster !== undefined) return { location: { cluster, clusterOptions: { redisOptions: login } }, rest };
  if (sentinels !== undefined) {
    if (name === undefined)
      throw invalid(`${path}.name`, "must be the name of the primary at the Sentinels, such as mymaster.");
    const hosts = sentinels.map((sentinel) => ({ port: SENTINEL_PORT, ...sentinel }));
    const redis = { ...login, ...present({ sentinelPassword }) };
    return { location: { sentinels: hosts, name, redis }, rest };
  }
  // The password is not in the URL, because a driver may show the URL.
  return { location: { url: `redis://${hostAndPort(first ?? LOCALHOST)}`, redis: login }, rest };
}

/** The options that are set. */
function present<Options extends object>(options: Options): Partial<Options> {
  const given: Partial<Options> = { ...options };
  for (const name in given) if (given[name] === undefined) delete given[name];
  return given;
}

/** The address of one server, or of some of several. */
function serversOf(
  options: {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly sentinels?: readonly Host[] | undefined;
    readonly cluster?: readonly Host[] | undefined;
    readonly client?: object | undefined;
  },
  path: string,
): readonly Host[] {
  const { host, port, sentinels, cluster, client } = options;
  if (client !== undefined) return [{ host: "by a client of yours" }];
  const several = sentinels ?? cluster;
  if (several !== undefined) return several;
  if (host === undefined) throw invalid(`${path}.host`, "must be the server's name, such as localhost.");
  return [{ host, ...(port === undefined ? {} : { port }) }];
}

function fromUrl(url: StoreUrl, path: string) {
  const { hosts: all, parts, ...login } = hostsOf(url, path);
  const tls = url.scheme.startsWith("rediss") ? { tls: true } : {};
  if (url.scheme.endsWith("+cluster")) return { ...login, ...tls, cluster: all };
  if (url.scheme.endsWith("+sentinel")) {
    const [name, db] = parts;
    if (name === undefined)
      throw invalid(path, "must end with the name of the primary at the Sentinels, such as /mymaster.");
    return { ...login, ...tls, sentinels: all, name, ...database(db, path) };
  }
  const [only, another] = all;
  if (another !== undefined)
    throw invalid(path, "names several hosts. Begin it with redis+cluster:// or redis+sentinel://.");
  return { ...login, ...tls, ...only, ...database(parts[0], path) };
}

function database(given: string | undefined, path: string): { readonly db?: number } {
  if (given === undefined) return {};
  if (!/^\d{1,4}$/.test(given))
    throw invalid(path, "must have the number of a database after the host, such as /0.");
  return { db: Number(given) };
}

function hosts(what: string): OptionRule<readonly Host[]> {
  return {
    mustBe: 'a list such as [{ "host": "localhost", "port": 6379 }]',
    schema: {
      type: "array",
      minItems: 1,
      description: what,
      items: {
        type: "object",
        required: ["host"],
        additionalProperties: false,
        properties: { host: { type: "string" }, port: { type: "integer", minimum: 1, maximum: 65_535 } },
      },
    },
    accepts: (value): value is readonly Host[] =>
      Array.isArray(value) && value.length > 0 && value.every(isHost),
  };
}

function isHost(value: unknown): value is Host {
  return typeof value === "object" && value !== null && "host" in value && typeof value.host === "string";
}

function hostAndPort({ host, port }: Host): string {
  const name = host.includes(":") ? `[${host}]` : host; // an IPv6 address
  return port === undefined ? name : `${name}:${port}`;
}
