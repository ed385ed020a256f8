/** How the mount that holds a path names its file system, by the text of `/proc/self/mountinfo`. */
export function mountFsTypeOf(mountInfo: string, path: string): string | undefined {
  let found: { readonly point: string; readonly fsType: string } | undefined;
  for (const line of mountInfo.split("\n")) {
    const mount = mountIn(line);
    // Of two mounts on the same point the later one hides the other.
    if (mount !== undefined && holds(mount.point, path) && mount.point.length >= (found?.point.length ?? 0))
      found = mount;
  }
  return found?.fsType;
}

/** `36 35 98:0 /in/fs /mount/point options optional… - fstype source options` */
function mountIn(line: string): { readonly point: string; readonly fsType: string } | undefined {
  const [before, after] = line.split(" - ");
  const point = before?.split(" ")[4];
  const fsType = after?.split(" ")[0];
  return point === undefined || fsType === undefined ? undefined : { point: unescaped(point), fsType };
}

/** Blanks and backslashes in names are written in octal. */
function unescaped(point: string): string {
  return point.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function holds(point: string, path: string): boolean {
  return point === "/" || path === point || path.startsWith(`${point}/`);
}
