import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SmallDisk } from "../nemesis/small-disk.js";

const DISK_MEBIBYTES = 1024;

/** The folder with the logs of a run and the data of its store. The logs are never on the small disk. */
export class RunFolder {
  readonly path: string;
  readonly disk: SmallDisk | undefined;
  /** What is not available on this machine, and why. */
  readonly skipped: readonly string[];

  private constructor(path: string, disk: SmallDisk | undefined, skipped: readonly string[]) {
    this.path = path;
    this.disk = disk;
    this.skipped = skipped;
  }

  /** `hasServer`: a server has the data. It runs out of memory and not of disk. */
  static async make(fullDisk: boolean, hasServer: boolean): Promise<RunFolder> {
    const path = await mkdtemp(join(tmpdir(), "sessions-chaos-"));
    await mkdir(join(path, "logs"));
    await mkdir(join(path, "data"));
    if (hasServer) return new RunFolder(path, undefined, ["filled disks: the data is a server's"]);
    if (!fullDisk) return new RunFolder(path, undefined, ["filled disks: --no-full-disk"]);
    const disk = await SmallDisk.mount(join(path, "data"), DISK_MEBIBYTES);
    if (disk instanceof SmallDisk) return new RunFolder(path, disk, []);
    return new RunFolder(path, undefined, [`filled disks: there is no small disk, ${disk.reason}`]);
  }

  get logs(): string {
    return join(this.path, "logs");
  }

  get data(): string {
    return join(this.path, "data");
  }

  /** Copies the data from the small disk to the real one. */
  async keep(): Promise<void> {
    await this.disk?.copyTo(this.data);
    await this.disk?.unmount();
  }

  async remove(): Promise<void> {
    await this.disk?.unmount();
    await rm(this.path, { recursive: true, force: true });
  }
}
