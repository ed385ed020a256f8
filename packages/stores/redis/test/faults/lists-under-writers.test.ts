import { randomBytes } from "node:crypto";
import type { ListSessionsQuery, SessionStore, SessionSummary } from "@sessions/protocol";
import { describe, expect, test } from "vitest";
import { openRedisStore } from "../../src/open-redis-store.js";
import type { RedisLocation } from "../../src/options.js";
import { ListWriters, type Sealed } from "../harness/list-writers.js";
import { sharedCluster, sharedServer } from "../servers.js";

const WRITERS = 4;
const WALKS = 3;
const PAGE = 50;
const TEST_MS = 120_000;

const server = await sharedServer();
const cluster = await sharedCluster();

const locations: readonly (readonly [name: string, location: RedisLocation])[] = [
  ["one server", { url: server.url }],
  ["a Cluster", { cluster: cluster.ports.map((port) => ({ host: "127.0.0.1", port })) }],
];

/** A list, and which of the sealed sessions belong on it. */
interface Walk {
  readonly name: string;
  readonly query: ListSessionsQuery;
  readonly belongs: (session: Sealed) => boolean;
  /** What it is ordered by, growing. */
  readonly place: (session: SessionSummary) => number | string;
}

const all = (): boolean => true;

const WALKS_OF: readonly Walk[] = [
  { name: "newest first", query: {}, belongs: all, place: ({ updatedAt }) => -updatedAt },
  {
    name: "oldest first",
    query: { order: "updated-asc" },
    belongs: all,
    place: ({ updatedAt }) => updatedAt,
  },
  {
    name: "by creation",
    query: { order: "created-desc" },
    belongs: all,
    place: ({ createdAt }) => -createdAt,
  },
  { name: "by id", query: { order: "id-asc" }, belongs: all, place: ({ id }) => id },
  {
    name: "by a label that all have in the end",
    query: { labels: { state: "closed" } },
    belongs: all,
    place: ({ updatedAt }) => -updatedAt,
  },
  {
    name: "by two labels",
    query: { labels: { state: "closed", writer: "w1" } },
    belongs: ({ writer }) => writer === "w1",
    place: ({ updatedAt }) => -updatedAt,
  },
  {
    name: "by parent",
    query: { parent: "root" },
    belongs: ({ forked }) => forked,
    place: ({ updatedAt }) => -updatedAt,
  },
];

/** What is wrong with a walk, in words. `exact`: nobody writes, so that it shows the expected sessions and no others. */
async function findings(
  store: SessionStore,
  { name, query, belongs, place }: Walk,
  { sealed, gone }: Pick<ListWriters, "sealed" | "gone">,
  exact: boolean,
): Promise<readonly string[]> {
  const [quiet, absent] = [new Map(sealed), new Set(gone)];
  const shown: SessionSummary[] = [];
  const begun = Date.now();
  for await (const session of store.listSessions({ ...query, limit: PAGE })) {
    // Who walks towards what is being written would never arrive.
    if (query.order === "updated-asc" && session.updatedAt > begun + 1000) break;
    shown.push(session);
  }
  const ids = shown.map(({ id }) => id);
  const expected = [...quiet.values()].filter(belongs).map(({ id }) => id);
  const times = new Map<string, number>();
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  const settled = shown.filter(({ id }) => quiet.has(id));
  const disordered = settled.filter((session, index) => {
    const previous = settled[index - 1];
    return previous !== undefined && place(previous) > place(session);
  });
  return [
    ...expected.filter((id) => !times.has(id)).map((id) => `${name}: ${id} is missing`),
    ...ids.filter((id) => absent.has(id)).map((id) => `${name}: ${id} is deleted, and is shown`),
    ...[...times]
      .filter(([id, count]) => count > 1 && quiet.has(id))
      .map(([id]) => `${name}: ${id} is twice`),
    ...settled.filter(({ id }) => !expected.includes(id)).map(({ id }) => `${name}: ${id} does not belong`),
    ...disordered.map(({ id }) => `${name}: ${id} is at a wrong place`),
    ...(exact && ids.length !== expected.length + (belongsRoot(query) ? 1 : 0)
      ? [`${name}: ${ids.length} are shown instead of ${expected.length}`]
      : []),
  ];
}

/** The session that others are forked from has neither labels nor a parent. */
function belongsRoot({ labels, parent }: ListSessionsQuery): boolean {
  return labels === undefined && parent === undefined;
}

describe.each(locations)(
  "on %s, while four processes make, change and delete sessions",
  (_name, location) => {
    test(
      "every list is complete, in order, and shows nothing twice",
      async () => {
        const options = { prefix: `lists-${randomBytes(4).toString("hex")}` };
        await using store = await openRedisStore(location, options);
        await store.addMessage("root", { role: "user", content: "hello" });
        using writers = await ListWriters.start(WRITERS, location, options);
        await expect.poll(() => writers.sealed.size, { timeout: 30_000 }).toBeGreaterThan(100);
        const found: string[] = [];
        for (let round = 0; round < WALKS; round++)
          for (const walk of WALKS_OF) found.push(...(await findings(store, walk, writers, false)));
        await writers.stop();
        for (const walk of WALKS_OF) found.push(...(await findings(store, walk, writers, true)));
        console.log(`${writers.sealed.size} sessions kept, ${writers.gone.size} deleted`);
        expect(writers.gone.size).toBeGreaterThan(10);
        expect(found).toEqual([]);
      },
      TEST_MS,
    );
  },
);

test("the check can fail: a list that lacks one session, or shows one that is deleted or twice, is found", async () => {
  const prefix = `lists-${randomBytes(4).toString("hex")}`;
  await using store = await openRedisStore({ url: server.url }, { prefix });
  for (const id of ["a", "b"]) await store.createSession(id, { messages: [{ role: "user", content: id }] });
  const [byId] = WALKS_OF.filter(({ name }) => name === "by id");
  if (byId === undefined) throw new Error("there is such a walk");
  const sealed = (id: string) => [id, { id, forked: false, writer: "w1" }] as const;
  const told = { sealed: new Map([sealed("a"), sealed("lost")]), gone: new Set(["b"]) };
  expect(await findings(store, byId, told, false)).toEqual([
    "by id: lost is missing",
    "by id: b is deleted, and is shown",
  ]);
  const twice: SessionStore = new Proxy(store, {
    get: (target, key) =>
      key === "listSessions"
        ? async function* () {
            for await (const session of target.listSessions()) yield* [session, session];
          }
        : Reflect.get(target, key),
  });
  const both = { sealed: new Map([sealed("a"), sealed("b")]), gone: new Set<string>() };
  expect(await findings(twice, byId, both, false)).toEqual(
    expect.arrayContaining(["by id: a is twice", "by id: b is twice"]),
  );
});
