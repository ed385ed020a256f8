import { statfsSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";

/** The machine of the figures. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly node: string;
  readonly kernel: string;
  readonly fileSystem: string;
  /** The load average before the run. */
  readonly load: number;
}

/** Names of file systems, by their numbers in statfs(2). */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext4 (or ext2, ext3)"],
  [0x9123683e, "btrfs"],
  [0x58465342, "xfs"],
  [0x2fc12fc1, "zfs"],
  [0x794c7630, "overlayfs"],
  [0x6969, "nfs"],
  [0x01021994, "tmpfs: no disk, so waiting for it costs nothing and the ratios to raw loops mean little"],
]);

export function machineOf(folder: string): Machine {
  const magic = statfsSync(folder).type;
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    kernel: `${type()} ${release()}`,
    fileSystem: FILE_SYSTEMS.get(magic) ?? `type 0x${magic.toString(16)}`,
    load: loadavg()[0] ?? Number.NaN,
  };
}
