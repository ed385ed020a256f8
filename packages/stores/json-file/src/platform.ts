import type { LeaseClock } from "@sessions/protocol/backend";
import { type FileLock, properFileLock } from "./engine/file-lock.js";
import { systemLeaseClock } from "./engine/lease-clock.js";
import { type FileSystemProbe, probeFileSystem } from "./engine/root/file-system-probe.js";
import { nodeWriteRefusal, type WriteRefusal } from "./engine/root/write-refusal.js";
import { AppendedDoorbellFile, type DoorbellFile } from "./feed/doorbell-file.js";
import { type NetInterval, netIntervalMs } from "./feed/poll-interval.js";
import { nodeWatchFolder, type WatchFolder } from "./feed/watch-folder.js";
import type { Warnings } from "./warnings.js";

/** What a store asks of the machine besides its files. Handed in, so that tests can do without or do otherwise. */
export interface Surroundings {
  readonly watchFolder: WatchFolder;
  readonly probe: FileSystemProbe;
  readonly netIntervalMs: NetInterval;
  readonly writeRefusal: WriteRefusal;
  /** The file that watchers in all processes are told through. */
  readonly doorbellFile: (path: string, mode: number) => DoorbellFile;
  /** The locks in a folder, which is made again with this mode if it is missing. */
  readonly fileLock: (locks: string, warnings: Warnings, folderMode: number) => FileLock;
  /** The clock that leases are measured by, where processes share one. */
  readonly leaseClock: () => LeaseClock | undefined;
}

/** Those of this machine. */
export const NODE_SURROUNDINGS: Surroundings = {
  watchFolder: nodeWatchFolder,
  probe: probeFileSystem,
  netIntervalMs,
  writeRefusal: nodeWriteRefusal,
  doorbellFile: (path, mode) => new AppendedDoorbellFile(path, mode),
  fileLock: properFileLock,
  leaseClock: systemLeaseClock,
};
