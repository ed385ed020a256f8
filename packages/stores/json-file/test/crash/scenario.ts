import { dirname } from "node:path/posix";
import { Disk } from "./disk.js";
import { type DiskImage, EMPTY_DISK } from "./disk-image.js";
import { ManualClock } from "./manual-clock.js";
import { mount } from "./mount.js";
import { type OpenBackend, ROOT } from "./open-backend.js";
import { Recording, type Run, type Start } from "./recording.js";

/** What stores do while the power may be cut. */
export interface Scenario {
  readonly name: string;
  /** What is there before: not even the store's folder, that folder, or an empty store in it. */
  readonly on?: "nothing" | "folder" | "store";
  readonly rotateBytes?: number;
  readonly act: (recording: Recording) => Promise<void>;
}

/** When every scenario begins. */
const BEGINNING = Date.UTC(2026, 0, 1);

/** Plays a scenario once, and returns the record of it. */
export async function play(scenario: Scenario, open: OpenBackend): Promise<Run> {
  const { on = "store", rotateBytes, act } = scenario;
  const start: Start = {
    open,
    base: on === "store" ? await emptyStore(open) : folderDisk(on === "folder" ? ROOT : dirname(ROOT)),
    now: BEGINNING,
    ...(rotateBytes === undefined ? {} : { rotateBytes }),
  };
  const recording = new Recording(start);
  await act(recording);
  return recording.finish();
}

/** A disk with nothing but a folder. */
function folderDisk(path: string): DiskImage {
  const disk = new Disk(EMPTY_DISK);
  mount(disk, "installer").makeFolder(path);
  return disk.image();
}

async function emptyStore(open: OpenBackend): Promise<DiskImage> {
  const disk = new Disk(folderDisk(ROOT));
  const backend = await open(mount(disk, "installer"), { clock: new ManualClock(BEGINNING) });
  await backend.close();
  return disk.image();
}
