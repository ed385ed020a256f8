import type { Control } from "./control.js";
import { withMessages } from "./rewritten-messages.js";

/** Stores only the fields that it knows, as a table with a column for each does. */
export const unknownFieldsDropped: Control = {
  name: "unknown fields dropped",
  caughtBy: "fidelity",
  breakPlace: (place) =>
    withMessages(place, ({ id, role, content, createdAt, status, metadata }) => ({
      id,
      role,
      ...(content === undefined ? {} : { content }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(status === undefined ? {} : { status }),
      ...(metadata === undefined ? {} : { metadata }),
    })),
};
