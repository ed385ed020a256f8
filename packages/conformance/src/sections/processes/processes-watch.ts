import { expect } from "vitest";
import { eventually } from "../../assertions/eventually.js";
import { existingSession } from "../../assertions/existing-session.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { otherProcessOf } from "../../multi-process/other-process-of.js";
import { WatchingProcess } from "../../multi-process/watching-process.js";
import { multiProcessCase } from "./multi-process-case.js";

export const processesWatch: Section = {
  name: "several processes watch",
  cases: [
    multiProcessCase(
      "a watcher gets the last commit of another process, and its deletion of the session",
      ["G3"],
      async (processes, store) => {
        await store.createSession("s");
        const [watcher, writer] = await processes.start("watcher", "writer");
        const watching = watcher.begin({ do: "watch", session: "s", since: 1 });
        for (let round = 0; round < 3; round++) {
          await writer.do({ do: "append", sessions: ["s"], prefix: `m${round}`, count: 10 });
          const { revision } = await existingSession(store, "s");
          await eventually(() => expect(watching.notes.at(-1)).toEqual({ revision, deleted: false }));
        }
        await writer.do({ do: "delete", session: "s" });
        await eventually(() => expect(watching.notes.at(-1)).toMatchObject({ deleted: true }));
      },
    ),
    ...(["return()", "signal", "close()"] as const).map((end) =>
      behaviour(
        `a watch keeps its process alive until ${end} ends it, and not longer`,
        [],
        async (store, { place }) => {
          await using watcher = new WatchingProcess({ how: otherProcessOf(place), end });
          await watcher.printed("still there");
          await store.createSession("s");
          await watcher.printed("change of s");
          expect(await watcher.ended()).toBe(0);
        },
        { applies: (_, { otherProcess }) => otherProcess !== undefined },
      ),
    ),
  ],
};
