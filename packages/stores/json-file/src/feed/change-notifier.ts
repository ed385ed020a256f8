import { basename, dirname } from "node:path";
import type { Warnings } from "../warnings.js";
import type { DoorbellFile } from "./doorbell-file.js";
import type { WatchFolder } from "./watch-folder.js";

/** How long changes are gathered for other processes: a write for each commit would cost too much. */
const GATHER_MS = 5;

/** Gets the folders of sessions that may have changed; "all" if it is not known which. */
export type ChangeListener = (folders: ReadonlySet<string> | "all") => void;

/** What a notifier works with. */
export interface NotifierContext {
  readonly file: DoorbellFile;
  readonly watchFolder: WatchFolder;
  readonly warnings: Warnings;
}

/**
 * Tells the watchers in all processes which sessions have changed: those of this process directly, others through a file.
 * It is a hint: notices may be lost or come twice, and watchers poll as well.
 */
export class ChangeNotifier {
  readonly #context: NotifierContext;
  readonly #ofStore = new Set<ChangeListener>();
  /** By folder, so that a commit costs as much as its session has watchers, not as much as the store has. */
  readonly #ofFolder = new Map<string, Set<ChangeListener>>();
  readonly #unwritten = new Set<string>();
  #listeners = 0;
  #stopWatching: (() => void) | undefined;

  constructor(context: NotifierContext) {
    this.#context = context;
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners;
  }

  /** After a commit. Never throws: the commit has succeeded. */
  notify(folder: string): void {
    if (this.#unwritten.size === 0) setTimeout(() => this.#write(), GATHER_MS).unref();
    this.#unwritten.add(folder);
    if (this.#listeners > 0) this.#tell(new Set([folder]));
  }

  /** Listens for changes of one session's folder, or of every one, until the returned function is called. */
  listen(folder: string | undefined, onChange: ChangeListener): () => void {
    const listener: ChangeListener = (folders) => onChange(folders);
    if (this.#listeners === 0) this.#begin();
    this.#listeners++;
    const group = this.#groupOf(folder);
    group.add(listener);
    return () => {
      if (!group.delete(listener)) return;
      if (group.size === 0 && folder !== undefined) this.#ofFolder.delete(folder);
      this.#listeners--;
      if (this.#listeners === 0) this.#end();
    };
  }

  /** Writes what was not written yet, and closes the file. */
  close(): void {
    this.#write();
    this.#context.file.close();
  }

  #groupOf(folder: string | undefined): Set<ChangeListener> {
    if (folder === undefined) return this.#ofStore;
    const group = this.#ofFolder.get(folder) ?? new Set();
    this.#ofFolder.set(folder, group);
    return group;
  }

  #write(): void {
    const folders = [...this.#unwritten];
    this.#unwritten.clear();
    try {
      if (folders.length > 0) this.#context.file.append(folders);
    } catch (error) {
      this.#failed("written", error);
    }
  }

  #begin(): void {
    const { file, watchFolder } = this.#context;
    const name = basename(file.path);
    try {
      // The folder and not the file: the watch survives that the file is removed, or not there yet.
      this.#stopWatching = watchFolder(dirname(file.path), {
        changed: (changed) => {
          if (changed === undefined || changed === name) this.#fileChanged();
        },
        failed: (error) => this.#unwatchable(error),
      });
    } catch (error) {
      this.#unwatchable(error);
    }
    this.#reading(() => file.skip());
  }

  #end(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #fileChanged(): void {
    if (this.#listeners === 0) return; // an event that was under way when the last listener left
    const folders = this.#reading(() => this.#context.file.news());
    if (folders === "all" || (folders !== undefined && folders.size > 0)) this.#tell(folders);
  }

  #tell(folders: ReadonlySet<string> | "all"): void {
    const groups =
      folders === "all" ? [...this.#ofFolder.values()] : [...folders].map((name) => this.#ofFolder.get(name));
    for (const group of [this.#ofStore, ...groups])
      for (const listener of [...(group ?? [])]) listener(folders);
  }

  /** Changes that stand in a file that cannot be read are found by polling. */
  #reading<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      this.#failed("read", error);
      return undefined;
    }
  }

  #failed(what: "read" | "written", cause: unknown): void {
    const { path } = this.#context.file;
    const message = `${path} could not be ${what}. Watchers get changes late. Remove the file, or let this process use it.`;
    this.#context.warnings.give({ code: "DOORBELL_FAILED", message, path, cause });
  }

  /** Not a failure: network file systems tell nothing, and the system's watches may be used up. */
  #unwatchable(cause: unknown): void {
    this.#end();
    const path = dirname(this.#context.file.path);
    const message = `${path} cannot be watched (see the cause). Changes of other processes are found by polling.`;
    this.#context.warnings.give({ code: "WATCH_UNAVAILABLE", message, path, cause });
  }
}
