import { type OpenMode, type ResolvedStore, resolveStore } from "@sessions/config";
import type { SessionStore } from "@sessions/protocol";
import { stripControls } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";
import { CommandError, EXIT } from "./exit-code.js";

/** What every command works with. */
export class CommandContext {
  readonly terminal: Terminal;
  /** Aborts when the user wants to stop. */
  readonly signal: AbortSignal;
  readonly json: boolean;
  readonly #target: string | undefined;
  readonly #resolved: ResolvedStore[] = [];
  readonly #opened: SessionStore[] = [];
  #stopReport: (() => string) | undefined;

  constructor(
    terminal: Terminal,
    signal: AbortSignal,
    options: { readonly json: boolean; readonly store?: string },
  ) {
    this.terminal = terminal;
    this.signal = signal;
    this.json = options.json;
    this.#target = options.store;
  }

  /** The selected store, not opened yet. */
  resolve({ warn = true }: { readonly warn?: boolean } = {}): Promise<ResolvedStore> {
    return this.resolveTarget(this.#target, "--store", warn);
  }

  /** A store that an argument selects. Its name is that of the argument in messages. */
  async resolveTarget(target: string | undefined, targetName: string, warn = true): Promise<ResolvedStore> {
    const { cwd, env } = this.terminal;
    const resolved = await resolveStore(target, {
      cwd,
      env,
      targetName,
      onNotice: (notice) => this.terminal.note(stripControls(notice)),
      onWarning: ({ code, message }) => {
        // A warning that the store is read-only says nothing new: the command has chosen that.
        if (warn && code !== "READ_ONLY") this.terminal.note(stripControls(`warning: ${message}`));
      },
    });
    this.#resolved.push(resolved);
    return resolved;
  }

  /** Opens the selected store. It is closed when the command ends. */
  readonly open = async (mode: OpenMode = "existing"): Promise<SessionStore> =>
    this.opened(await this.resolve(), mode);

  async opened(resolved: ResolvedStore, mode: OpenMode): Promise<SessionStore> {
    const store = await resolved.open(mode);
    this.#opened.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((store) => store.close()));
  }

  /** Sets what a command reports when a signal stops it: what is done, and how to go on. */
  readonly whenStopped = (report: () => string): void => {
    this.#stopReport = report;
  };

  /** What the command reports when it is stopped. `undefined` if there is nothing to say. */
  get stopReport(): string | undefined {
    return this.#stopReport?.();
  }

  /** The same error without the secrets of any selected store. */
  hideIn<Thrown>(error: Thrown): Thrown {
    return this.#resolved.reduce((hidden, resolved) => resolved.hideIn(hidden), error);
  }

  /** Asks before something is destroyed. Without a terminal to ask on, it refuses. */
  readonly confirm = async (question: string, yes: boolean): Promise<void> => {
    if (yes) return;
    if (!this.terminal.interactive || this.json)
      throw new CommandError(
        `${question} This needs a yes, and there is no terminal to ask on. Nothing was changed: add --yes.`,
        EXIT.refused,
      );
    this.whenStopped(() => "Nothing was changed.");
    if (!(await this.terminal.confirm(question, this.signal)))
      throw new CommandError("Nothing was changed.", EXIT.refused);
  };
}
