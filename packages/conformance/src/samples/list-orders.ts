import type { ListOrder } from "@sessions/protocol";

/** Every order in which sessions can be listed. */
export const LIST_ORDERS: readonly ListOrder[] = [
  "updated-desc",
  "updated-asc",
  "created-desc",
  "created-asc",
  "id-asc",
  "id-desc",
];
