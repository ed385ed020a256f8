import { randomBytes } from "node:crypto";
import type { SessionStore } from "@sessions/protocol";
import { startNodeProxies } from "redis-servers";
import { describe, expect, test } from "vitest";
import { openRedisStore } from "../../src/open-redis-store.js";
import { OPERATIONS, type Operation, SESSION } from "../harness/operations.js";
import { type Script, scriptsIn } from "../harness/scripts-in.js";
import { type Content, SlotPair } from "../harness/slot-pair.js";
import { sharedCluster } from "../servers.js";

const cluster = await sharedCluster();

/** Thousands of subsets for a script that writes every index. */
const TEST_MS = 600_000;

const MANY_KEYS = 6;
const FEW_KEYS = 2;

/** What a server refuses a script with while its keys are here and there. */
const REFUSED = /^(?:ASK|TRYAGAIN|MOVED|CLUSTERDOWN) /;

interface Outcome {
  readonly findings: readonly string[];
  readonly subsets: number;
  /** In how many of them the script ran. */
  readonly ran: number;
}

/** Runs a script, on what its slot holds, for every subset of its keys that may have moved: with what else is in the slot here or there. */
async function everySubset(slot: SlotPair, content: Content, script: Script): Promise<Outcome> {
  await slot.write(content);
  const before = await slot.words();
  const whole = await slot.run("from", script);
  const after = await slot.words();
  const declared = script.keys.filter((key) => content.has(key));
  const others = [...content.keys()].filter((key) => !declared.includes(key));
  const findings: string[] = REFUSED.test(whole) ? [`refused in a whole slot: ${whole}`] : [];
  if (after === before) return { findings, subsets: 0, ran: 0 };
  let ran = 0;
  // A script runs only where all that it declares is together: only then can it meet what else has moved.
  const splits = [...subsetsOf(declared), others, [...declared, ...others]];
  for (const moved of splits) {
    for (const side of ["from", "to"] as const) {
      await slot.split(content, new Set(moved));
      const changes = await slot.changes();
      const reply = await slot.run(side, script);
      const isRefused = REFUSED.test(reply);
      if (!isRefused) ran++;
      if (isRefused && (await slot.changes()) === changes) continue;
      const found = await slot.words();
      // A script may also say itself that it does nothing: its caller's deadline is over by now.
      const isNothing = found === before && reply !== whole;
      const isWhole = isNothing || (!isRefused && found === after);
      if (!isWhole) findings.push(`asked ${side}, moved: ${moved.join(" ")}: ${reply.slice(0, 300)}`);
    }
  }
  return { findings, subsets: splits.length, ran };
}

/**
 * Every subset, if `SESSIONS_ALL_SUBSETS` is set. Otherwise, of a script with many keys, those of which few have moved or few have not:
 * the server refuses all others for the same reason.
 */
function subsetsOf(keys: readonly string[]): readonly (readonly string[])[] {
  const all = Array.from({ length: 2 ** keys.length }, (_, subset) =>
    keys.filter((_key, bit) => ((subset >> bit) & 1) === 1),
  );
  if (keys.length <= MANY_KEYS || process.env["SESSIONS_ALL_SUBSETS"] !== undefined) return all;
  return all.filter(({ length }) => Math.min(length, keys.length - length) <= FEW_KEYS);
}

/** The scripts that an operation sends, in their order. What is stored is as it was before. */
async function scriptsOf(operation: Operation, prefix: string): Promise<readonly Script[]> {
  await using proxies = await startNodeProxies(cluster.nodes);
  const nodes = proxies.ports.map((port) => ({ host: "127.0.0.1", port }));
  const location = { cluster: nodes, clusterOptions: { natMap: proxies.natMap } };
  const store: SessionStore = await openRedisStore(location, { prefix, partitions: 1 });
  try {
    await neighbours(store);
    await operation.prepare?.(store);
    await store.getSession(SESSION);
    for (const node of cluster.nodes) await node.call("SCRIPT", "FLUSH");
    const before = await contentsBelow(prefix);
    const scripts = await scriptsIn(proxies, () => operation.run(store));
    for (const tag of await tagsBelow(prefix)) {
      using slot = await SlotPair.of(cluster, tag);
      await slot.write(before.get(tag) ?? new Map());
    }
    return scripts;
  } finally {
    await store.close();
  }
}

/** Others in the same partition, so that every key of the index exists: while one does not, no script runs in a slot that is moved. */
async function neighbours(store: SessionStore): Promise<void> {
  const expiresAt = Date.now() + 3_600_000;
  await store.addMessage("parent", { role: "user", content: "hello" });
  for (const agent of ["a", "b"]) {
    await store.forkSession("parent", { newId: `beside ${agent}` });
    await store.patchSession(`beside ${agent}`, { labels: { agent, user: "ada" }, expiresAt });
  }
  await store.createSession("removed");
  await store.deleteSession("removed");
}

/** What the slots of a store hold, by the tags of its keys. */
async function contentsBelow(prefix: string): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>();
  for (const tag of await tagsBelow(prefix)) {
    using slot = await SlotPair.of(cluster, tag);
    contents.set(tag, await slot.read());
  }
  return contents;
}

async function tagsBelow(prefix: string): Promise<readonly string[]> {
  const found = await Promise.all(
    (await cluster.primaries()).map((node) => node.call("KEYS", `${prefix}:*`)),
  );
  return [...new Set(found.flatMap((keys) => (Array.isArray(keys) ? keys.map(String) : [])).map(tagOf))];
}

/** Slots are shared by stores of all prefixes. */
async function clearBelow(prefix: string): Promise<void> {
  for (const tag of await tagsBelow(prefix)) {
    using slot = await SlotPair.of(cluster, tag);
    await slot.clear();
  }
}

/** The part of a key that decides about its slot. */
function tagOf(key: string): string {
  return /\{[^}]+\}/.exec(key)?.[0] ?? key;
}

describe("a script in a slot that is half moved does all or nothing, whichever of its keys have moved", () => {
  test.each(OPERATIONS)(
    "$name",
    async (operation) => {
      const prefix = `moved-${randomBytes(4).toString("hex")}`;
      const scripts = await scriptsOf(operation, prefix);
      expect(scripts.length).toBeGreaterThan(0);
      const findings: string[] = [];
      for (const script of scripts) {
        const [key = ""] = script.keys;
        using slot = await SlotPair.of(cluster, tagOf(key));
        const content = await slot.read();
        const { findings: more, subsets, ran } = await everySubset(slot, content, script);
        if (subsets > 0)
          expect(ran, `${subsets} subsets of ${script.keys.length} keys`).toBeLessThan(2 * subsets);
        findings.push(...more);
        // The next script of the operation finds what this one leaves.
        await slot.write(content);
        await slot.run("from", script);
      }
      await clearBelow(prefix);
      expect(findings).toEqual([]);
    },
    TEST_MS,
  );
});

describe("the check can fail", () => {
  const twins: Readonly<Record<string, Omit<Script, "keys">>> = {
    "a script that empties a set and fills it again": {
      body: "redis.call('ZREM', KEYS[1], 'a') redis.call('ZADD', KEYS[1], 2, 'a') return 'done'",
      args: [],
    },
    "a script that writes a key that it does not declare": {
      body: "redis.call('ZADD', KEYS[1], 2, 'b') redis.call('SET', ARGV[1], 'x') return 'done'",
      args: ["{twin}:other"],
    },
  };

  test.each(Object.entries(twins))("%s is found", async (_name, twin) => {
    using slot = await SlotPair.of(cluster, "{twin}");
    await slot.run("from", {
      body: "redis.call('ZADD', KEYS[1], 1, 'a') redis.call('SET', KEYS[2], 'o')",
      keys: ["{twin}:set", "{twin}:other"],
      args: [],
    });
    const { findings } = await everySubset(slot, await slot.read(), { ...twin, keys: ["{twin}:set"] });
    await slot.clear();
    expect(findings).not.toEqual([]);
  });
});
