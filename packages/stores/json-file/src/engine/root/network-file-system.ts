/** Types as Linux's `statfs` gives them, of file systems whose files other machines may change. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x564c, "NCP"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x7461636f, "OCFS2"],
  [0x01161970, "GFS2"],
  [0x19830326, "BeeGFS"],
  [0xaad7aaea, "PanFS"],
  [0x20030528, "OrangeFS"],
  [0x61636673, "ACFS"],
  [0xbeefdead, "SNFS"],
  [0x786f4256, "VirtualBox shared folder"],
  [0xbacbacbc, "VMware shared folder"],
  [0x7c7c6673, "Parallels shared folder"],
]);

const FUSE = 0x65735546;

/** FUSE programs that keep files on other machines. Others (encryption, NTFS) keep them on this one. */
const NETWORK_FUSE: ReadonlySet<string> = new Set(
  (
    "afuse alluxio-fuse beegfs blobfuse blobfuse2 ceph ceph-fuse cephfs-fuse curlftpfs davfs davfs2 gcsfuse " +
    "gfarm2fs glusterfs goofys google-drive-ocamlfuse hadoop-fuse-dfs httpfs2 jmtpfs juicefs lizardfs mfs moosefs " +
    "mount-s3 mountpoint-s3 nfs onedriver ossfs rclone s3backer s3fs s3ql seaweedfs smbnetfs sshfs wdfs weed"
  ).split(" "),
);

/** Whether this is FUSE, whose type does not tell where files are kept. */
export function isFuse(type: number | bigint): boolean {
  return unsigned(type) === FUSE;
}

/**
 * The name of the network file system that has this type, or `undefined` if the type is that of a local one.
 * `mountFsType` is how the mount names itself (`fuse.sshfs`), which is asked for where the type is FUSE.
 */
export function networkFileSystemOf(type: number | bigint, mountFsType?: string): string | undefined {
  if (!isFuse(type)) return NETWORK.get(unsigned(type));
  const program = mountFsType?.replace(/^fuse\./, "");
  return program !== undefined && NETWORK_FUSE.has(program) ? mountFsType : undefined;
}

/** Types are 32 bits wide; on some systems they come with a sign. */
function unsigned(type: number | bigint): number {
  return Number(BigInt.asUintN(32, BigInt(type)));
}
