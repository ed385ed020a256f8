import type { Terminal } from "./terminal.js";
import { fitted } from "./width.js";

const EVERY_MS = 100;
const BAR = 20;

/** A progress line with the rate and the remaining time. It is rewritten in a terminal and not written elsewhere. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #what: string;
  readonly #total: number | undefined;
  readonly #started = performance.now();
  #done = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(terminal: Terminal, what: string, total?: number) {
    this.#terminal = terminal;
    this.#what = what;
    this.#total = total;
  }

  advance(by = 1): void {
    this.#done += by;
    const now = performance.now();
    if (this.#terminal.animated && now - this.#drawnAt >= EVERY_MS) this.#draw(now, this.#total);
  }

  /** Waits for work. Its last line has 100 %, however many items there were in the end. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    try {
      const result = await work;
      this.complete();
      return result;
    } finally {
      this.end();
    }
  }

  /** All is done, although items may have come or gone since they were counted. */
  complete(): void {
    if (this.#isDrawn) this.#draw(performance.now(), this.#total === undefined ? undefined : this.#done);
  }

  /** Erases the line. */
  end(): void {
    if (this.#isDrawn) this.#terminal.draw("");
    this.#drawnAt = Number.NEGATIVE_INFINITY;
  }

  get #isDrawn(): boolean {
    return this.#drawnAt !== Number.NEGATIVE_INFINITY;
  }

  #draw(now: number, total: number | undefined): void {
    this.#drawnAt = now;
    const line = progressLine(this.#what, this.#done, total, (now - this.#started) / 1000);
    this.#terminal.draw(fitted(line, this.#terminal.noteColumns - 1));
  }
}

/** `copying  [####----]  45%  450 of 1000  120/s  5 s left`. */
export function progressLine(what: string, done: number, total: number | undefined, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const pace = `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`;
  if (total === undefined || total === 0) return `${what}  ${done}  ${pace}`;
  const share = Math.min(1, done / total); // there may be more than were counted
  const bar = "#".repeat(Math.round(share * BAR)).padEnd(BAR, "-");
  const left = rate > 0 ? `  ${duration((total - done) / rate)} left` : "";
  return `${what}  [${bar}]  ${Math.floor(share * 100)}%  ${done} of ${total}  ${pace}${left}`;
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
