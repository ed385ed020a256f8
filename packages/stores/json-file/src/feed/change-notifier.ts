import { basename, dirname } from "node:path";
import type { Warnings } from "../warnings.js";
import type { DoorbellFile } from "./doorbell-file.js";
import type { WatchFolder } from "./watch-folder.js";

/** How long rings are gathered for other processes: a write for each commit would cost more than the commit may. */
const GATHER_MS = 5;

/** Told which sessions' folders to look at; "all" if it is not known which. */
export type RingListener = (folders: ReadonlySet<string> | "all") => void;

/** What a doorbell works with. */
export interface DoorbellContext {
  readonly file: DoorbellFile;
  readonly watchFolder: WatchFolder;
  readonly warnings: Warnings;
}

/**
 * Tells the watchers in all processes where to look. It is a hint: rings may be lost or come twice, and whoever listens
 * looks by itself as well, now and then.
 */
export class Doorbell {
  readonly #context: DoorbellContext;
  readonly #listeners = new Set<RingListener>();
  readonly #unwritten = new Set<string>();
  #stopWatching: (() => void) | undefined;

  constructor(context: DoorbellContext) {
    this.#context = context;
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** After a commit. Never throws: the commit has succeeded, whoever hears of it. */
  ring(folder: string): void {
    // The file can wait a moment, and takes what else is rung until then.
    if (this.#unwritten.size === 0) setTimeout(() => this.#write(), GATHER_MS).unref();
    this.#unwritten.add(folder);
    if (this.#listeners.size > 0) this.#tell(new Set([folder])); // those in this process need no file
  }

  /** Listens until the returned function is called. */
  listen(onRing: RingListener): () => void {
    const listener: RingListener = (folders) => onRing(folders);
    if (this.#listeners.size === 0) this.#begin();
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#end();
    };
  }

  /** Lets go of the file. */
  close(): void {
    this.#write();
    this.#context.file.close();
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
      // The folder and not the file: that goes on when the file is removed, and when there is none yet.
      this.#stopWatching = watchFolder(dirname(file.path), {
        changed: (changed) => {
          if (changed === undefined || changed === name) this.#heard();
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

  #heard(): void {
    if (this.#listeners.size === 0) return; // an event that was under way when the last one left
    const folders = this.#reading(() => this.#context.file.news());
    if (folders === "all" || (folders !== undefined && folders.size > 0)) this.#tell(folders);
  }

  #tell(folders: ReadonlySet<string> | "all"): void {
    for (const listener of [...this.#listeners]) listener(folders);
  }

  /** What a bell that cannot be read would have told is found without it. */
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
    const message = `${path} could not be ${what}. Changes are told late to those who watch. Remove the file, or let this process use it.`;
    this.#context.warnings.give({ code: "DOORBELL_FAILED", message, path, cause });
  }

  /** Not a failure: network file systems tell nothing, and the system's watches may be used up. */
  #unwatchable(cause: unknown): void {
    this.#end();
    const path = dirname(this.#context.file.path);
    const message = `${path} cannot be watched (see the cause). Changes of other processes are found by looking now and then.`;
    this.#context.warnings.give({ code: "WATCH_UNAVAILABLE", message, path, cause });
  }
}
