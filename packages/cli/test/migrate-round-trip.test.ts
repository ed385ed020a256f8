import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { fillCorpus } from "./corpus.js";
import { durableStores } from "./durable-stores.js";
import { sessionsJson, temporaryFolder } from "./run-sessions.js";

/** `SESSIONS_CORPUS=10000 pnpm exec vitest run test/migrate-round-trip.test.ts` is the large one. */
const SESSIONS = Number(process.env["SESSIONS_CORPUS"] ?? "200");

interface Migrated {
  readonly copied: number;
  readonly same: number;
  readonly verified: {
    readonly sessions: number;
    readonly sourceDigest: string;
    readonly targetDigest: string;
  };
}

test(`${SESSIONS} sessions go round all stores, and come back the same`, { timeout: 1_800_000 }, async () => {
  const cwd = await temporaryFolder();
  const stops = [...durableStores, ...durableStores.slice(0, 1)].map((store, at) =>
    store.url(cwd, `stop-${at}`),
  );
  const store = await openStore(stops[0]);
  const began = performance.now();
  await fillCorpus(store, SESSIONS);
  await store.close();
  report(`made in ${seconds(began)} s`);
  const digests = new Set<string>();
  for (const [at, to] of stops.entries()) {
    const from = stops[at - 1];
    if (from === undefined) continue;
    const start = performance.now();
    const [result] = await sessionsJson(["migrate", from, to], { cwd });
    expect(result).toMatchObject({
      copied: SESSIONS,
      updated: 0,
      conflicts: [],
      damaged: [],
      verified: { sessions: SESSIONS, different: [] },
    });
    if (isMigrated(result)) digests.add(result.verified.sourceDigest).add(result.verified.targetDigest);
    report(
      `${from.split("?")[0]} to ${to.split("?")[0]}: ${seconds(start)} s, digest ${[...digests].join(" ")}`,
    );
  }
  expect([...digests], "one digest, everywhere").toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

function isMigrated(value: unknown): value is Migrated {
  return typeof value === "object" && value !== null && "verified" in value;
}

const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);

/** Only the large run says how long things took. */
function report(line: string): void {
  if (process.env["SESSIONS_CORPUS"] !== undefined) console.log(line);
}
