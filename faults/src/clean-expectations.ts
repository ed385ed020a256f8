import type { Expectations } from "./expectations.js";
import { callContext } from "./operations/call-context.js";
import type { Operation } from "./operations/operation.js";
import type { TrialFolder } from "./trial-folder.js";
import { textOfResult } from "./view.js";
import { writeAsOther } from "./write-as-other.js";

/** Computes what an operation must lead to, by making its calls one after the other without faults. */
export class CleanExpectations implements Expectations {
  readonly #operation: Operation;
  readonly #makeFolder: () => TrialFolder;
  readonly #views = new Map<string, Promise<string>>();
  #results: Promise<readonly string[]> | undefined;

  /** `makeFolder` makes a folder with the data that the operation starts from. */
  constructor(operation: Operation, makeFolder: () => TrialFolder) {
    this.#operation = operation;
    this.#makeFolder = makeFolder;
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
    const folder = this.#makeFolder();
    try {
      const store = on === "nothing" ? undefined : await folder.open();
      const prepared = store === undefined ? "" : ((await prepare?.(store)) ?? "");
      if (otherWriter && store !== undefined) await writeAsOther(store, sharedSession ?? "");
      const results: string[] = [];
      for (const index of calls) {
        const open = () => folder.open();
        const context = callContext({ store, commitId: `clean-${index}`, prepared, open });
        results.push(textOfResult(await this.#operation.calls[index]?.(context)));
      }
      return { view: await folder.freshView(), results };
    } finally {
      await folder.remove();
    }
  }
}
