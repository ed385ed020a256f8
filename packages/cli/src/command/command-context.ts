import { type OpenMode, type ResolvedStore, resolveStore } from "@sessions/config";
import type { SessionStore } from "@sessions/protocol";
import { stripControls } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";
import { CommandError, EXIT } from "./exit-code.js";

/** What every command is given. */
export class CommandContext {
  readonly terminal: Terminal;
  /** Aborts when the user wants to stop. */
  readonly signal: AbortSignal;
  readonly json: boolean;
  readonly #target: string | undefined;
  readonly #resolved: ResolvedStore[] = [];
  readonly #opened: SessionStore[] = [];

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

  /** The store that the user means, not open yet; another one where `target` says so. */
  async resolve(target: string | undefined = this.#target): Promise<ResolvedStore> {
    const { cwd, env } = this.terminal;
    const resolved = await resolveStore(target, {
      cwd,
      env,
      onNotice: (notice) => this.terminal.note(stripControls(notice)),
      onWarning: ({ code, message }) => {
        // That a command opens the store read-only is no news to its user.
        if (code !== "READ_ONLY") this.terminal.note(stripControls(`warning: ${message}`));
      },
    });
    this.#resolved.push(resolved);
    return resolved;
  }

  /** The store that the user means. It is closed when the command ends. */
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

  /** The same error without the secrets of any store that was named. */
  hideIn<Thrown>(error: Thrown): Thrown {
    return this.#resolved.reduce((hidden, resolved) => resolved.hideIn(hidden), error);
  }

  /** Before something is destroyed. Where nobody can be asked, nothing is done. */
  readonly confirm = async (question: string, yes: boolean): Promise<void> => {
    if (yes) return;
    if (!this.terminal.interactive || this.json)
      throw new CommandError(`${question} Nobody can be asked here: repeat it with --yes.`, EXIT.refused);
    if (!(await this.terminal.confirm(question, this.signal)))
      throw new CommandError("Nothing was done.", EXIT.refused);
  };
}
