import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { probeFileSystem } from "../../src/engine/root/file-system-probe.js";
import { mountFsTypeOf } from "../../src/engine/root/mount-fs-type.js";
import { networkFileSystemOf } from "../../src/engine/root/network-file-system.js";
import { type JsonFileWarning, SessionError } from "../../src/index.js";
import { openOnPlatform } from "../fixtures/open-on-platform.js";

const FUSE = 0x65735546;
const EXT4 = 0xef53;
const TMPFS = 0x01021994;
const OVERLAY = 0x794c7630;

describe("the type of a file system", () => {
  test.each([
    [0x6969, "NFS"],
    [0x517b, "SMB"],
    [0xff534d42, "CIFS"],
    [0xff534d42 | 0, "CIFS"], // with a sign
    [BigInt(0xff534d42), "CIFS"],
    [BigInt(0xfe534d42 | 0), "SMB2"],
    [0x5346414f, "AFS"],
    [0x01021997, "9P"],
    [0x00c36400, "Ceph"],
    [0x0bd00bd0, "Lustre"],
    [0x47504653, "GPFS"],
    [0x7461636f, "OCFS2"],
    [0x19830326, "BeeGFS"],
  ])("%s is %s", (type, name) => expect(networkFileSystemOf(type)).toBe(name));

  test.each([EXT4, TMPFS, OVERLAY, 0x58465342, 0x9123683e, 0x2fc12fc1, 0])("%s is local", (type) => {
    expect(networkFileSystemOf(type)).toBeUndefined();
    expect(networkFileSystemOf(type, "fuse.sshfs")).toBeUndefined(); // not FUSE: the mount is not asked
  });

  test("of FUSE depends on the program that the mount names", () => {
    for (const name of ["fuse.sshfs", "fuse.s3fs", "fuse.glusterfs", "fuse.rclone", "fuse.juicefs"])
      expect(networkFileSystemOf(FUSE, name)).toBe(name);
    for (const name of ["fuseblk", "fuse.gocryptfs", "fuse.bindfs", "virtiofs", undefined])
      expect(networkFileSystemOf(FUSE, name)).toBeUndefined();
  });
});

describe("the table of mounts", () => {
  const table = [
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw",
    "30 22 0:40 / /mnt rw - fuse.sshfs host:/a rw",
    "31 22 0:41 / /mnt/with\\040blank rw master:2 shared:3 - fuse.gocryptfs x rw",
    "32 22 0:42 / /twice rw - ext4 /dev/vdb rw",
    "33 32 0:43 / /twice rw - fuse.rclone remote: rw",
    "",
  ].join("\n");

  test.each([
    ["/var/a", "ext4"],
    ["/mnt", "fuse.sshfs"],
    ["/mnt/deep/er", "fuse.sshfs"],
    ["/mntx", "ext4"],
    ["/mnt/with blank/a", "fuse.gocryptfs"],
    ["/twice/a", "fuse.rclone"],
  ])("%s is on %s", (path, fsType) => expect(mountFsTypeOf(table, path)).toBe(fsType));

  test("a path on no mount has no type", () => expect(mountFsTypeOf("", "/a")).toBeUndefined());
});

describe("a store", () => {
  let folder: string;
  let root: string;
  let warnings: JsonFileWarning[];
  const onWarning = (warning: JsonFileWarning) => warnings.push(warning);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sessions-network-"));
    root = join(folder, "not", "yet");
    warnings = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test("on a network file system is refused, and nothing is made", async () => {
    const refused = await openOnPlatform({ root, onWarning }, { probe: () => ({ type: 0x6969 }) }).catch(
      (error: unknown) => error,
    );
    expect(SessionError.is(refused, "INVALID_ARGUMENT")).toBe(true);
    expect(refused).toMatchObject({ path: "options.root", message: expect.stringContaining("NFS") });
    expect(warnings).toEqual([]);
    expect(existsSync(join(folder, "not"))).toBe(false);
  });

  test("is opened on a network file system if the caller allows it, with a warning", async () => {
    const probe = () => ({ type: FUSE, mountFsType: "fuse.sshfs" });
    await using store = await openOnPlatform({ root, onWarning, allowNetworkFileSystem: true }, { probe });
    await store.createSession("s");
    expect(warnings).toMatchObject([{ code: "NETWORK_FILE_SYSTEM", path: root }]);
    expect((await store.describe()).warnings).toEqual([expect.stringContaining("fuse.sshfs")]);
  });

  test("is opened with a warning where the file system is unknown", async () => {
    const cause = new Error("statfs: not here");
    const probe = () => {
      throw cause;
    };
    await using store = await openOnPlatform({ root, onWarning }, { probe });
    await store.createSession("s");
    expect(warnings).toMatchObject([{ code: "FILE_SYSTEM_UNKNOWN", path: root, cause }]);
  });

  test.runIf(process.platform === "linux")("a folder that is not there yet is judged by its parent", () => {
    expect(probeFileSystem(root)).toEqual(probeFileSystem(folder));
    expect(probeFileSystem("/proc/not/there").type).toBe(0x9fa0);
  });

  test.runIf(process.platform === "linux")("opens on a local file system without a warning", async () => {
    await using store = await openOnPlatform({ root, onWarning }, {});
    await store.createSession("s");
    expect(warnings).toEqual([]);
  });
});
