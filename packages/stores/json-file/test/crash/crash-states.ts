import { createHash } from "node:crypto";
import { type DataLoss, dataLosses } from "./data-losses.js";
import type { CachedFile, DiskCache } from "./disk-cache.js";
import type { Inode } from "./disk-event.js";
import { type DiskImage, pathsOf } from "./disk-image.js";
import { type NameLoss, nameLosses, namesLost } from "./name-losses.js";
import type { Tears } from "./tears.js";

/** A disk that a power cut could leave. */
export interface CrashState {
  readonly how: string;
  readonly image: DiskImage;
  /** Equal disks have equal keys. */
  readonly key: string;
  /** Whether SESSION_CORRUPTED is a right answer: see `DataLoss`. */
  readonly gap: boolean;
}

/** Up to this many combinations of lost names and lost data, every one is tried. */
const MAX_COMBINED = 1024;

/**
 * The disks that a power cut could leave now, except for tears that are not tried. Where names and data can be lost in too many ways together, every loss
 * of data goes with all names kept and with all lost, and every loss of names with all data kept and with all lost.
 */
export function* crashStates(cache: DiskCache, tears: Tears): Generator<CrashState> {
  const data = allDataLosses(cache, tears);
  const names = nameLosses(cache);
  const few = data.length * names.length <= MAX_COMBINED;
  const extremes = data.filter(({ extreme }) => extreme);
  for (const loss of names) yield* statesOf(loss, few || loss.extreme ? data : extremes);
}

function* statesOf({ how, folders }: NameLoss, data: readonly Contents[]): Generator<CrashState> {
  const paths = pathsOf(folders);
  for (const { how: lost, files, gap } of data)
    yield { how: `${how}; ${lost}`, image: { folders, files }, gap, key: keyOf(paths, files) };
}

/** The disk on which nothing survived that was not promised to. */
export function harshest(cache: DiskCache): DiskImage {
  return { folders: namesLost(cache), files: allLost(cache) };
}

interface Contents {
  readonly how: string;
  readonly files: DiskImage["files"];
  readonly gap: boolean;
  /** All kept, or all lost. */
  readonly extreme: boolean;
}

/** One file in every way, the others kept or lost: together they would be too many. */
function allDataLosses(cache: DiskCache, tears: Tears): readonly Contents[] {
  const kept = new Map([...cache.files].map(([inode, file]) => [inode, file.bytes] as const));
  const unsynced = cache.unsynced();
  const whole: Contents = { how: "all data kept", files: kept, gap: false, extreme: true };
  if (unsynced.length === 0) return [whole];
  const lost = allLost(cache);
  const others = unsynced.length === 1 ? [kept] : [kept, lost];
  const mixed = unsynced.flatMap(([inode, file]) =>
    others.flatMap((rest) =>
      lossesOf(file, tears).map(({ how, bytes, gap }) => {
        return { how, gap, files: new Map(rest).set(inode, bytes), extreme: false };
      }),
    ),
  );
  return [whole, { how: "all unsynced data lost", files: lost, gap: false, extreme: true }, ...mixed];
}

function allLost(cache: DiskCache): Map<Inode, Buffer> {
  return new Map([...cache.files].map(([inode, file]) => [inode, file.bytes.subarray(0, file.synced)]));
}

const computed = new WeakMap<CachedFile, readonly DataLoss[]>();

/** A file that did not change since the last event can be lost in the same ways. */
function lossesOf(file: CachedFile, tears: Tears): readonly DataLoss[] {
  const losses = computed.get(file) ?? dataLosses(file, tears);
  computed.set(file, losses);
  return losses;
}

function keyOf(paths: readonly (readonly [string, Inode])[], files: DiskImage["files"]): string {
  return paths.map(([path, inode]) => `${path}:${digestOf(files.get(inode))}`).join("\n");
}

const digests = new WeakMap<Buffer, string>();

function digestOf(bytes: Buffer | undefined): string {
  if (bytes === undefined) return "/";
  const digest = digests.get(bytes) ?? createHash("sha1").update(bytes).digest("base64");
  digests.set(bytes, digest);
  return digest;
}
