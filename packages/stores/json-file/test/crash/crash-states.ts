import { createHash } from "node:crypto";
import { type DataLoss, dataLosses } from "./data-losses.js";
import type { CachedFile, DiskCache } from "./disk-cache.js";
import type { Inode } from "./disk-event.js";
import { type DiskImage, pathsOf } from "./disk-image.js";
import { nameLosses, namesLost } from "./name-losses.js";

/** A disk that a power cut could leave. */
export interface CrashState {
  readonly how: string;
  readonly image: DiskImage;
  /** Equal disks have equal keys. */
  readonly key: string;
  /** Whether SESSION_CORRUPTED is a right answer: see `DataLoss`. */
  readonly gap: boolean;
}

/** Every disk that a power cut could leave now. */
export function* crashStates(cache: DiskCache): Generator<CrashState> {
  const losses = allDataLosses(cache);
  for (const names of nameLosses(cache)) {
    const paths = pathsOf(names.folders);
    for (const { how, files, gap } of losses) {
      const image = { folders: names.folders, files };
      yield { how: `${names.how}; ${how}`, image, gap, key: keyOf(paths, files) };
    }
  }
}

/** The disk on which nothing survived that was not promised to. */
export function harshest(cache: DiskCache): DiskImage {
  return { folders: namesLost(cache), files: allLost(cache) };
}

interface Contents {
  readonly how: string;
  readonly files: DiskImage["files"];
  readonly gap: boolean;
}

/** One file in every way, the others kept or lost: together they would be too many. */
function allDataLosses(cache: DiskCache): readonly Contents[] {
  const kept = new Map([...cache.files].map(([inode, file]) => [inode, file.bytes] as const));
  const unsynced = cache.unsynced();
  if (unsynced.length === 0) return [{ how: "all data synced", files: kept, gap: false }];
  const others = unsynced.length === 1 ? [kept] : [kept, allLost(cache)];
  return unsynced.flatMap(([inode, file]) => {
    const losses = lossesOf(file);
    return others.flatMap((rest) =>
      losses.map(({ how, bytes, gap }) => ({ how, gap, files: new Map(rest).set(inode, bytes) })),
    );
  });
}

function allLost(cache: DiskCache): Map<Inode, Buffer> {
  return new Map([...cache.files].map(([inode, file]) => [inode, file.bytes.subarray(0, file.synced)]));
}

const known = new WeakMap<CachedFile, readonly DataLoss[]>();

/** A file that did not change since the last event can be lost in the same ways. */
function lossesOf(file: CachedFile): readonly DataLoss[] {
  const losses = known.get(file) ?? dataLosses(file);
  known.set(file, losses);
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
