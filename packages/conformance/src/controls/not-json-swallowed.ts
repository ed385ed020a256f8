import type { MessageInput, OneOrMany } from "@sessions/protocol";
import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Writes what `JSON.stringify` makes of a message: NaN becomes null, a Map an empty object. */
export const notJsonSwallowed: Control = {
  name: "non-JSON swallowed",
  caughtBy: "fidelity",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      addMessage: async (id, messages, options) => {
        const squeezed: OneOrMany<MessageInput> = JSON.parse(JSON.stringify(messages));
        return store.addMessage(id, squeezed, options);
      },
    })),
};
