/** Which file or folder: it stays the same whatever it is called. */
export type Inode = number;

/** A name in a folder, and what it is the name of from now on. `undefined`: of nothing. */
export interface Slot {
  readonly folder: Inode;
  readonly name: string;
  readonly inode: Inode | undefined;
}

/** A name was made, moved or removed, atomically. */
export interface Named {
  readonly kind: "named";
  readonly call: "makeFolder" | "create" | "move" | "remove";
  readonly path: string;
  readonly slots: readonly Slot[];
  /** The folder whose sync makes it durable: the one where the new name is. */
  readonly folder: Inode;
}

/** Bytes were appended to a file, in one call. */
interface Written {
  readonly kind: "written";
  readonly process: string;
  readonly inode: Inode;
  readonly bytes: Buffer;
}

/** A sync of a file or of a folder: it promises nothing before it has resolved, and then what was there when it began. */
type Synced =
  | { readonly kind: "sync-began"; readonly sync: number; readonly inode: Inode }
  | { readonly kind: "sync-resolved"; readonly sync: number };

/** What the callers of the store know: which commits they asked for, and which revision was acknowledged. */
export type Noted =
  | { readonly kind: "attempted"; readonly session: string; readonly commit: string }
  | { readonly kind: "acknowledged"; readonly session: string; readonly revision: number };

/** An event: a change of the disk, a sync, or what callers learn. */
export type DiskEvent = Named | Written | Synced | Noted;
