import type { SessionStore } from "@sessions/protocol";
import type { Disk } from "../disk.js";
import type { DiskEvent } from "../disk-event.js";
import { ROOT } from "../open-backend.js";
import type { Scenario } from "../scenario.js";
import { say } from "./say.js";

/** A new segment after every commit. */
const ROTATE_BYTES = 0;

/** A journal that goes on in new segments. */
export const ROTATION: readonly Scenario[] = [
  {
    name: "rotation",
    rotateBytes: ROTATE_BYTES,
    async act(recording) {
      // A store that is closed waits for its rotation, so that each of these makes one.
      const rotated = async (act: (store: SessionStore) => Promise<unknown>): Promise<void> => {
        const store = await recording.open("a");
        await act(store);
        await store.close();
      };
      await rotated((store) => store.addMessage("s", say("one")));
      await rotated((store) => store.addMessage("s", say("two")));
      await rotated((store) => store.deleteSession("s"));
      await rotated((store) => store.addMessage("s", say("anew")));
    },
  },
  {
    name: "a commit while its store rotates",
    rotateBytes: ROTATE_BYTES,
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", say("one"));
      await store.addMessage("s", say("two"));
      // The rotation that this has begun seals the segment before the disk has confirmed the next commit.
      const release = recording.disk.holdSyncs("a", recording.disk.find(`${ROOT}/sessions/s/1.jsonl`));
      const next = store.addMessage("s", say("three"));
      await sealed(recording.disk);
      release();
      await next;
    },
  },
  {
    name: "rotation by two",
    rotateBytes: ROTATE_BYTES,
    async act(recording) {
      const [a, b] = [await recording.open("a"), await recording.open("b")];
      for (let index = 0; index < 2; index++) {
        await Promise.all([a.addMessage("s", say(`a${index}`)), b.addMessage("s", say(`b${index}`))]);
      }
    },
  },
  {
    name: "rotation, with pauses",
    rotateBytes: ROTATE_BYTES,
    async act(recording) {
      const [a, b] = [await recording.open("a"), await recording.open("b")];
      await a.addMessage("s", say("one"));
      for (let index = 0; index < 2; index++) {
        // Wherever it is: before its record is on the disk, or its candidate, or the folder.
        const release = recording.disk.holdSyncs("a");
        const paused = a.addMessage("s", say(`a${index}`));
        await syncBegun(recording.disk);
        await b.addMessage("s", say(`b${index}`));
        release();
        await paused;
      }
    },
  },
];

/** Resolves when a segment is sealed. */
async function sealed({ events }: Disk): Promise<void> {
  const isSeal = (event: DiskEvent): boolean => event.kind === "written" && event.bytes.includes('"seal"');
  while (!events.some(isSeal)) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when one more sync has begun. */
async function syncBegun({ events }: Disk): Promise<void> {
  const begun = (): number => events.filter((event) => event.kind === "sync-began").length;
  const before = begun();
  while (begun() === before) await new Promise((resolve) => setImmediate(resolve));
}
