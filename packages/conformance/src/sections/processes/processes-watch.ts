import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { present } from "../../assertions/present.js";
import type { Section } from "../../case.js";
import { several } from "./several.js";

export const processesWatch: Section = {
  name: "several processes watch",
  cases: [
    several(
      "a watcher sees the last commit of another process, and its deletion",
      ["G3"],
      async (fleet, store) => {
        await store.createSession("s");
        const [watcher, writer] = await fleet.start("watcher", "writer");
        const watching = watcher.begin({ do: "watch", session: "s", since: 1 });
        for (let round = 0; round < 3; round++) {
          await writer.do({ do: "append", sessions: ["s"], prefix: `m${round}`, count: 10 });
          const { revision } = await present(store, "s");
          await eventually(() => expect(watching.notes.at(-1)).toEqual({ revision, deleted: false }));
        }
        await writer.do({ do: "delete", session: "s" });
        await eventually(() => expect(watching.notes.at(-1)).toMatchObject({ deleted: true }));
      },
    ),
  ],
};
