import { withBackend } from "./with-backend.mjs";

/** Swaps the first two messages in every second read. */
export const open = (root, clock) =>
  withBackend(root, clock, (backend) => {
    let reads = 0;
    return {
      async document(id) {
        const document = await backend.document(id);
        const [first, second, ...rest] = document?.messages ?? [];
        if (second === undefined || ++reads % 2 === 0) return document;
        return { ...document, messages: [second, first, ...rest] };
      },
    };
  });
