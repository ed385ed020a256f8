import type { MessageInput, OneOrMany } from "@sessions/protocol";
import { withStore } from "./broken-place.js";
import type { Control } from "./control.js";

/** Stores a message as `JSON.stringify` converts it: NaN becomes null, a Map an empty object. */
export const nonJsonConverted: Control = {
  name: "values that are not JSON converted",
  caughtBy: "fidelity",
  breakPlace: (place) =>
    withStore(place, (store) => ({
      addMessage: async (id, messages, options) => {
        const converted: OneOrMany<MessageInput> = JSON.parse(JSON.stringify(messages));
        return store.addMessage(id, converted, options);
      },
    })),
};
