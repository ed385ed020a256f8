import { send } from "../samples/requests.js";
import type { Control } from "./control.js";
import { withSeparateRequests } from "./separate-requests.js";

/** Commits the operations of a request one after the other. */
export const operationsCommittedSeparately: Control = {
  name: "commit written one operation at a time",
  caughtBy: "all or nothing",
  breakPlace: (place) =>
    withSeparateRequests(place, async (backend, request) => {
      const [first, ...others] = request.ops;
      if (first === undefined || others.length === 0) return send(backend, request);
      const single = request.ops.map((op, index) => ({
        ...request,
        id: `${request.id} ${index}`,
        ops: [op],
      }));
      const outcomes = await backend.commit(single);
      const outcome = outcomes.find(({ status }) => status === "rejected") ?? outcomes.at(-1);
      if (outcome === undefined) throw new Error("the backend gave no outcome for a request");
      return outcome;
    }),
};
