import { SessionError } from "@sessions/protocol";
import { appendSome } from "./append.js";
import { loggedResult } from "./logged-result.js";
import type { Operation, OperationContext } from "./operation-context.js";
import { readAll } from "./read-session.js";

/** A session that only this lane writes to. The lane knows its messages, so it can log what a clear or a revert removes. */
export class PrivateSession {
  #id = "";
  #messageIds: readonly string[] = [];
  #snapshots: readonly { readonly name: string; readonly ids: readonly string[] }[] = [];

  /** Changes the session once. */
  readonly operation: Operation = async (context) => {
    if (this.#id === "" || context.random.chance(0.02)) this.#renew(context);
    try {
      await this.#change(context);
    } catch (error) {
      // The messages are no longer known, and the next clear could not be logged.
      if (!SessionError.is(error) || error.code === "OUTCOME_UNKNOWN") this.#renew(context);
      throw error;
    }
  };

  #renew(context: OperationContext): void {
    this.#id = `private-${context.name}.${context.next()}`;
    this.#messageIds = [];
    this.#snapshots = [];
  }

  async #change(context: OperationContext): Promise<void> {
    const append = async (): Promise<void> => {
      this.#messageIds = [...this.#messageIds, ...(await appendSome(context, this.#id))];
    };
    if (this.#messageIds.length === 0) return append();
    const change = context.random.weighted([
      [10, append],
      [2, () => this.#remove(context)],
      [1, () => this.#clear(context)],
      [1, () => this.#snapshot(context)],
      [2, () => this.#revert(context)],
      [4, () => readAll(context, this.#id)],
    ]);
    await change?.();
  }

  async #remove({ store, recorder, random }: OperationContext): Promise<void> {
    const ids = this.#messageIds.filter(() => random.chance(0.2));
    if (ids.length === 0) return;
    const perform = (): ReturnType<typeof store.removeMessages> => store.removeMessages(this.#id, ids);
    await recorder.call(this.#id, { kind: "remove", ids }, perform, loggedResult);
    const removed = new Set(ids);
    this.#messageIds = this.#messageIds.filter((id) => !removed.has(id));
  }

  async #clear({ store, recorder }: OperationContext): Promise<void> {
    const action = { kind: "remove", ids: this.#messageIds } as const;
    await recorder.call(this.#id, action, () => store.clearSession(this.#id), loggedResult);
    this.#messageIds = [];
  }

  async #snapshot({ store, recorder, next }: OperationContext): Promise<void> {
    const name = `snapshot-${next()}`;
    const perform = (): ReturnType<typeof store.createSnapshot> => store.createSnapshot(this.#id, name);
    await recorder.call(this.#id, { kind: "touch" }, perform, loggedResult);
    this.#snapshots = [...this.#snapshots, { name, ids: this.#messageIds }];
  }

  async #revert({ store, recorder, random }: OperationContext): Promise<void> {
    const snapshot = random.pick(this.#snapshots);
    if (snapshot === undefined) return;
    const { name, ids } = snapshot;
    const perform = (): ReturnType<typeof store.revertToSnapshot> => store.revertToSnapshot(this.#id, name);
    await recorder.call(this.#id, { kind: "restore", ids }, perform, loggedResult);
    this.#messageIds = ids;
  }
}
