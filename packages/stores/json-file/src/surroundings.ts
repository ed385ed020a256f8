import type { LeaseClock } from "@sessions/protocol/backend";
import { AppendedDoorbellFile, type DoorbellFile } from "./doorbell-file.js";
import { type FileLock, properFileLock } from "./file-lock.js";
import { type FileSystemProbe, probeFileSystem } from "./file-system-probe.js";
import { systemLeaseClock } from "./lease-clock.js";
import { type NetInterval, netIntervalMs } from "./net-interval.js";
import type { Warnings } from "./warnings.js";
import { nodeWatchFolder, type WatchFolder } from "./watch-folder.js";
import { nodeWriteRefusal, type WriteRefusal } from "./write-refusal.js";

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
