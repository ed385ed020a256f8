import { SessionError } from "@sessions/protocol";
import { appendSome } from "./append.js";
import { loggedResult } from "./logged-result.js";
import { readAll } from "./read-session.js";
import type { Work, WorkContext } from "./work-context.js";

/** A session that only this lane writes to: so it knows what is there, and what a clear or a revert takes away. */
export class OwnSession {
  #id = "";
  #held: readonly string[] = [];
  #snapshots: readonly { readonly name: string; readonly ids: readonly string[] }[] = [];

  /** Does one thing with it. */
  readonly work: Work = async (place) => {
    if (this.#id === "" || place.random.chance(0.02)) this.#renew(place);
    try {
      await this.#act(place);
    } catch (error) {
      // Who does not know what is there cannot say what the next clear takes away.
      if (!SessionError.is(error) || error.code === "OUTCOME_UNKNOWN") this.#renew(place);
      throw error;
    }
  };

  #renew(place: WorkContext): void {
    this.#id = `own-${place.name}.${place.next()}`;
    this.#held = [];
    this.#snapshots = [];
  }

  async #act(place: WorkContext): Promise<void> {
    const append = async (): Promise<void> => {
      this.#held = [...this.#held, ...(await appendSome(place, this.#id))];
    };
    if (this.#held.length === 0) return append();
    const act = place.random.weighted([
      [10, append],
      [2, () => this.#remove(place)],
      [1, () => this.#clear(place)],
      [1, () => this.#snapshot(place)],
      [2, () => this.#goBack(place)],
      [4, () => readAll(place, this.#id)],
    ]);
    await act?.();
  }

  async #remove({ store, recorder, random }: WorkContext): Promise<void> {
    const ids = this.#held.filter(() => random.chance(0.2));
    if (ids.length === 0) return;
    const perform = (): ReturnType<typeof store.removeMessages> => store.removeMessages(this.#id, ids);
    await recorder.call(this.#id, { kind: "remove", ids }, perform, loggedResult);
    const gone = new Set(ids);
    this.#held = this.#held.filter((id) => !gone.has(id));
  }

  async #clear({ store, recorder }: WorkContext): Promise<void> {
    const action = { kind: "remove", ids: this.#held } as const;
    await recorder.call(this.#id, action, () => store.clearSession(this.#id), loggedResult);
    this.#held = [];
  }

  async #snapshot({ store, recorder, next }: WorkContext): Promise<void> {
    const name = `snapshot-${next()}`;
    const perform = (): ReturnType<typeof store.createSnapshot> => store.createSnapshot(this.#id, name);
    await recorder.call(this.#id, { kind: "touch" }, perform, loggedResult);
    this.#snapshots = [...this.#snapshots, { name, ids: this.#held }];
  }

  async #goBack({ store, recorder, random }: WorkContext): Promise<void> {
    const snapshot = random.pick(this.#snapshots);
    if (snapshot === undefined) return;
    const { name, ids } = snapshot;
    const perform = (): ReturnType<typeof store.revertToSnapshot> => store.revertToSnapshot(this.#id, name);
    await recorder.call(this.#id, { kind: "restore", ids }, perform, loggedResult);
    this.#held = ids;
  }
}
