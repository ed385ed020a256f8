import { type Fields, fieldsAt, stringAt } from "@sessions/turn-runner";

/** A tool call as the model sent it: the arguments may be any text. */
export interface RawCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

interface GrowingCall {
  readonly index: unknown;
  id: string | undefined;
  name: string;
  arguments: string;
}

/**
 * Assembles tool calls from streamed fragments. The index of a fragment says which call it belongs to. Some endpoints send all
 * parallel calls under index 0 or without an index; there a new id begins a new call.
 */
export class CallFragments {
  readonly #calls: GrowingCall[] = [];

  add(fragment: Fields): void {
    const id = stringAt(fragment, "id");
    const called = fieldsAt(fragment, "function");
    const call = this.#find(fragment["index"], id) ?? this.#begin(fragment["index"]);
    call.id ??= id;
    // Some endpoints repeat the name in every fragment.
    call.name ||= stringAt(called, "name") ?? "";
    call.arguments += stringAt(called, "arguments") ?? "";
  }

  get calls(): readonly RawCall[] {
    return this.#calls;
  }

  #find(index: unknown, id: string | undefined): GrowingCall | undefined {
    const call =
      typeof index === "number" ? this.#calls.findLast((one) => one.index === index) : this.#calls.at(-1);
    return id !== undefined && call?.id !== undefined && call.id !== id ? this.#withId(id) : call;
  }

  #withId(id: string): GrowingCall | undefined {
    return this.#calls.find((call) => call.id === id);
  }

  #begin(index: unknown): GrowingCall {
    const call = { index, id: undefined, name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}
