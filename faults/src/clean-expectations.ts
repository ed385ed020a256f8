import type { Expectations } from "./expectations.js";
import type { CallContext, Operation } from "./operations/operation.js";
import type { TrialPlace } from "./trial-place.js";
import { textOfResult } from "./view.js";
import { writeAsOther } from "./write-as-other.js";

/** What an operation must lead to. Found by making its calls one after the other, without faults. */
export class CleanExpectations implements Expectations {
  readonly #operation: Operation;
  readonly #place: () => TrialPlace;
  readonly #views = new Map<string, Promise<string>>();
  #results: Promise<readonly string[]> | undefined;

  /** `place` makes a folder with the data that the operation starts from. */
  constructor(operation: Operation, place: () => TrialPlace) {
    this.#operation = operation;
    this.#place = place;
  }

  after(calls: readonly number[], otherWriter: boolean): Promise<string> {
    const key = `${[...calls].sort().join()} ${otherWriter}`;
    const view = this.#views.get(key) ?? this.#make(calls, otherWriter).then(({ view }) => view);
    this.#views.set(key, view);
    return view;
  }

  results(): Promise<readonly string[]> {
    const all = this.#operation.calls.map((_, index) => index);
    this.#results ??= this.#make(all, false).then(({ results }) => results);
    return this.#results;
  }

  async #make(
    calls: readonly number[],
    otherWriter: boolean,
  ): Promise<{ readonly view: string; readonly results: readonly string[] }> {
    const { prepare, on, sharedSession } = this.#operation;
    const place = this.#place();
    try {
      const store = on === "nothing" ? undefined : await place.open();
      const prepared = store === undefined ? "" : ((await prepare?.(store)) ?? "");
      if (otherWriter && store !== undefined) await writeAsOther(store, sharedSession ?? "");
      const results: string[] = [];
      for (const index of calls) {
        const context: CallContext = {
          get store() {
            if (store === undefined) throw new Error("this operation opens its own store");
            return store;
          },
          commitId: `clean-${index}`,
          prepared,
          open: () => place.open(),
        };
        results.push(textOfResult(await this.#operation.calls[index]?.(context)));
      }
      return { view: await place.freshView(), results };
    } finally {
      await place.remove();
    }
  }
}
