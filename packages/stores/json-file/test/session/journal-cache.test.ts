import fc from "fast-check";
import { expect, test } from "vitest";
import { type CachedJournal, JournalCache } from "../../src/session/journal-cache.js";

/** A journal of some weight whose file opens with its first use. */
class Sample implements CachedJournal {
  weight: number;
  isOpen = false;
  isPinned = false;
  isKept = true;

  constructor(weight: number) {
    this.weight = weight;
  }

  release(): void {
    this.isOpen = false;
  }

  close(): void {
    this.isOpen = false;
    this.isKept = false;
  }
}

const use = (cache: JournalCache<Sample>, name: string): Promise<Sample> =>
  cache.use(name, async (journal) => {
    journal.isOpen = true;
    return journal;
  });

test("states stay within the budget of bytes and files within theirs, whatever is used in which order", async () => {
  const action = fc.record({ name: fc.nat(30), grow: fc.nat(400) });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 200 }), async (actions) => {
      const samples: Sample[] = [];
      const create = (): Sample => {
        const sample = new Sample(100);
        samples.push(sample);
        return sample;
      };
      const cache = new JournalCache(create, { maxBytes: 2_000, maxOpenFiles: 4 });
      for (const { name, grow } of actions) {
        const used = await cache.use(`${name}`, async (journal) => {
          journal.isOpen = true;
          journal.weight += grow;
          return journal;
        });
        expect(used.isKept, "what was used last stays").toBe(true);
        const kept = samples.filter(({ isKept }) => isKept);
        const others = kept.filter((sample) => sample !== used);
        expect(others.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(2_000);
        expect(samples.filter(({ isOpen }) => isOpen).length).toBeLessThanOrEqual(4);
      }
    }),
  );
});

test("the state that was used longest ago is dropped first", async () => {
  const cache = new JournalCache(() => new Sample(100), { maxBytes: 300, maxOpenFiles: 10 });
  const [a, b, c] = [await use(cache, "a"), await use(cache, "b"), await use(cache, "c")];
  await use(cache, "a");
  await use(cache, "d");
  expect([a, b, c].map(({ isKept }) => isKept)).toEqual([true, false, true]);
});

test("the file that was used longest ago is closed first, and its state stays", async () => {
  const cache = new JournalCache(() => new Sample(100), { maxBytes: 9_000, maxOpenFiles: 2 });
  const [a, b] = [await use(cache, "a"), await use(cache, "b")];
  await use(cache, "a");
  await use(cache, "c");
  expect([a.isOpen, b.isOpen, b.isKept]).toEqual([true, false, true]);
  expect(await use(cache, "b")).toBe(b);
});

test("a journal in use is neither closed nor dropped, however small the budget", async () => {
  const cache = new JournalCache(() => new Sample(100), { maxBytes: 0, maxOpenFiles: 0 });
  await cache.use("a", async (a) => {
    a.isOpen = true;
    await use(cache, "b");
    expect([a.isOpen, a.isKept, cache.releaseOne()]).toEqual([true, true, false]);
  });
});

test("a journal whose disk has failed is not dropped", async () => {
  const cache = new JournalCache(() => new Sample(100), { maxBytes: 0, maxOpenFiles: 0 });
  const failed = await use(cache, "a");
  failed.isPinned = true;
  await use(cache, "b");
  await use(cache, "c");
  expect(await use(cache, "a")).toBe(failed);
  expect(failed.isKept).toBe(true);
});
