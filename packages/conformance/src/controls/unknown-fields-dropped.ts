import type { Control } from "./control.js";
import { withMessages } from "./rewritten-messages.js";

/** Has a column for each field that it knows. */
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
