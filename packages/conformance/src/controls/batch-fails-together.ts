import { send } from "../samples/requests.js";
import type { Control } from "./control.js";
import { withSeparateRequests } from "./separate-requests.js";

/** Refuses all later requests of a batch after one that is refused. */
export const batchFailsTogether: Control = {
  name: "one refused request that fails others of its batch",
  caughtBy: "all or nothing",
  breakPlace: (place) =>
    withSeparateRequests(
      place,
      async (backend, request, before) =>
        before.find(({ status }) => status === "rejected") ?? (await send(backend, request)),
    ),
};
