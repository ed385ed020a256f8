import type { LeaseClock } from "@sessions/protocol/backend";
import { type FileLock, properFileLock } from "./engine/file-lock.js";
import { systemLeaseClock } from "./engine/lease-clock.js";
import { type FileSystemProbe, probeFileSystem } from "./engine/root/file-system-probe.js";
import { nodeWriteRefusal, type WriteRefusal } from "./engine/root/write-refusal.js";
import { AppendedDoorbellFile, type DoorbellFile } from "./feed/doorbell-file.js";
import { type PollInterval, pollIntervalMs } from "./feed/poll-interval.js";
import { nodeWatchFolder, type WatchFolder } from "./feed/watch-folder.js";
import type { Warnings } from "./warnings.js";

/** What a store asks of the machine besides its files. Handed in, so that tests can replace it. */
export interface Platform {
  readonly watchFolder: WatchFolder;
  readonly probe: FileSystemProbe;
  readonly pollIntervalMs: PollInterval;
  readonly writeRefusal: WriteRefusal;
  /** The file through which processes notify each other of changes. */
  readonly doorbellFile: (path: string, mode: number) => DoorbellFile;
  /** The locks in a folder, which is made again with this mode if it is missing. */
  readonly fileLock: (locks: string, warnings: Warnings, folderMode: number) => FileLock;
  /** The clock that leases are measured by, where processes share one. */
  readonly leaseClock: () => LeaseClock | undefined;
}

/** This machine. */
export const NODE_PLATFORM: Platform = {
  watchFolder: nodeWatchFolder,
  probe: probeFileSystem,
  pollIntervalMs,
  writeRefusal: nodeWriteRefusal,
  doorbellFile: (path, mode) => new AppendedDoorbellFile(path, mode),
  fileLock: properFileLock,
  leaseClock: systemLeaseClock,
};
