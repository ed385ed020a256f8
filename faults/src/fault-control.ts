import { openSync, readSync, writeSync } from "node:fs";
import { CALLS, type Fault, numberOfKind, type SystemCall } from "./fault.js";

const WORDS = 64;
const FAILED_WORD = 4;
const FIRST_COUNT_WORD = 16;

/** What the shim counted while it was armed. */
export interface CallCounts {
  readonly counts: Readonly<Record<SystemCall, number>>;
  readonly hasFailed: boolean;
}

/** The file through which this process selects the system call that the preloaded shim lets fail. */
export class FaultControl {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Creates an empty control file for a process that is started next. */
  static make(path: string): void {
    writeSync(openSync(path, "wx"), Buffer.alloc(WORDS * 4));
  }

  static open(path: string): FaultControl {
    return new FaultControl(openSync(path, "r+"));
  }

  /** Counts calls from now on. With a fault, one of them fails. */
  arm(fault: Fault | undefined): void {
    const chosen = fault === undefined ? -1 : CALLS.indexOf(fault.call);
    const words = new Int32Array(WORDS);
    words.set([1, chosen, (fault?.nth ?? 0) - 1, fault === undefined ? 0 : numberOfKind(fault.kind)]);
    this.#write(words);
  }

  /** Stops counting and failing. Returns what was counted. */
  disarm(): CallCounts {
    const words = this.#read();
    this.#write(new Int32Array(WORDS));
    if (words[FAILED_WORD] === 3) throw new Error("the other writer failed, or did not end in time");
    const entries = CALLS.map((call, index) => [call, words[FIRST_COUNT_WORD + index] ?? 0] as const);
    return { counts: byCall(entries), hasFailed: words[FAILED_WORD] !== 0 };
  }

  #read(): Int32Array {
    const words = new Int32Array(WORDS);
    readSync(this.#file, words, 0, WORDS * 4, 0);
    return words;
  }

  #write(words: Int32Array): void {
    writeSync(this.#file, words, 0, WORDS * 4, 0);
  }
}

function byCall(entries: readonly (readonly [SystemCall, number])[]): Record<SystemCall, number> {
  const counts: Partial<Record<SystemCall, number>> = Object.fromEntries(entries);
  const of = (call: SystemCall): number => counts[call] ?? 0;
  return {
    open: of("open"),
    read: of("read"),
    write: of("write"),
    sync: of("sync"),
    truncate: of("truncate"),
    remove: of("remove"),
    name: of("name"),
    stat: of("stat"),
    list: of("list"),
    lock: of("lock"),
    map: of("map"),
    close: of("close"),
    watch: of("watch"),
  };
}
