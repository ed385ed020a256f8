import { watch } from "node:fs";

/** What happens in a folder that is watched. */
interface FolderEvents {
  /** A file in it was made, changed or removed. The name is not known everywhere. */
  readonly changed: (name: string | undefined) => void;
  /** No more changes will be reported. */
  readonly failed: (error: unknown) => void;
}

/** Asks the operating system to tell of changes in a folder; returns what ends it. Handed in, so that a test can do without. */
export type WatchFolder = (folder: string, events: FolderEvents) => () => void;

/** `fs.watch`, which keeps no process alive. */
export const nodeWatchFolder: WatchFolder = (folder, { changed, failed }) => {
  const watcher = watch(folder, { persistent: false }, (_, name) => changed(name ?? undefined));
  watcher.on("error", failed);
  return () => watcher.close();
};
