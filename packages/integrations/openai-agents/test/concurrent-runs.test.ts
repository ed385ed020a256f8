import type { AgentInputItem } from "@openai/agents";
import { toolLinksOf } from "@sessions/protocol";
import { OtherProcess, type StorePlace, sharedKinds, sharedPlace, temporaryFolder } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";
import { FileSession } from "./file-session.mjs";

const PROCESSES = 4;
const RUNS = 100;
const NAMES = Array.from({ length: RUNS }, (_, n) => `q${n}`);

/** The faults of a history to which each run has added its items. */
interface Faults {
  readonly lostRuns: number;
  readonly doubled: readonly string[];
  readonly splitPairs: readonly string[];
}

test.each(sharedKinds.map((kind, index) => ({ kind, stream: index % 2 === 1 })))(
  "100 runs of 4 processes on one session lose no item and store none twice: $kind, stream: $stream",
  async (how) => {
    const place = await sharedPlace(how.kind);
    expect(await runAll(place.where, how.stream)).toEqual([]);
    const store = await place.open();
    const items = await openaiSession(store, "s").getItems();
    expect(faultsIn(items)).toEqual({ lostRuns: 0, doubled: [], splitPairs: [] });
    expect(items).toHaveLength(RUNS * 6);
  },
);

test("in comparison, a session that rewrites a file loses most of the runs", async () => {
  const root = await temporaryFolder();
  await runAll({ kind: "file-session", root }, false);
  const { lostRuns } = faultsIn(await new FileSession(root, "s").getItems());
  console.log(`The file session lost ${lostRuns} of ${RUNS} runs.`);
  expect(lostRuns).toBeGreaterThan(RUNS / 2);
});

/** Starts all runs of all processes together. Returns the errors. */
async function runAll(
  place: StorePlace | { readonly kind: "file-session"; readonly root: string },
  stream: boolean,
): Promise<unknown[]> {
  const processes = Array.from({ length: PROCESSES }, (_, n) => {
    const names = NAMES.filter((_name, index) => index % PROCESSES === n);
    return new OtherProcess(new URL("./concurrent-runs.mjs", import.meta.url), {
      place,
      sessionId: "s",
      names,
      stream,
    });
  });
  for (const one of processes) await one.until((line) => "ready" in line);
  for (const one of processes) one.writeLine("go");
  const failed: unknown[] = [];
  for (const one of processes) {
    const { failed: reasons } = await one.until((line) => "done" in line);
    if (Array.isArray(reasons)) failed.push(...reasons);
    await one.end();
  }
  return failed;
}

function faultsIn(items: readonly AgentInputItem[]): Faults {
  const named = items.map((item) => JSON.stringify(item));
  const isWhole = (name: string): boolean =>
    [`question ${name}"`, `answer to ${name}"`, `${name}-call-1"`, `${name}-call-2"`].every((part) =>
      named.some((item) => item.includes(part)),
    );
  const seen = new Set<string>();
  return {
    lostRuns: NAMES.filter((name) => !isWhole(name)).length,
    doubled: named.filter((item) => seen.size === seen.add(item).size),
    splitPairs: splitPairs(items),
  };
}

/** Calls whose result is missing, stands before them, or is separated from them by anything but calls and results. */
function splitPairs(items: readonly AgentInputItem[]): readonly string[] {
  const links = items.map((item) => toolLinksOf({ role: "assistant", item }));
  return links.flatMap(({ calls }, at) =>
    calls.filter((id) => {
      const answer = links.findIndex(({ results }) => results.includes(id));
      const between = links.slice(at, answer + 1);
      return answer < at || between.some((one) => one.calls.length + one.results.length === 0);
    }),
  );
}
