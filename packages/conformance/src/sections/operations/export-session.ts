import { expect } from "vitest";
import { existingSession } from "../../assertions/existing-session.js";
import { expectError } from "../../assertions/expect-error.js";
import { expectSameJson } from "../../assertions/expect-same-json.js";
import { behaviour } from "../../behaviour.js";
import type { Section } from "../../case.js";
import { eventfulSession } from "../../samples/eventful-session.js";
import { idsOf, numbered } from "../../samples/messages.js";
import { startTurn } from "../../samples/start-turn.js";

export const exportSession: Section = {
  name: "exportSession",
  covers: ["exportSession"],
  cases: [
    behaviour("a bundle is plain JSON with everything that the session has", ["G9"], async (store) => {
      await eventfulSession(store, "s");
      const bundle = await store.exportSession("s");
      expectSameJson(JSON.parse(JSON.stringify(bundle)), bundle);
      expect(bundle).toMatchObject({ format: "sessions-bundle", version: 1, sessionId: "s" });
      const { session } = bundle;
      const live = await existingSession(store, "s");
      expect(session).toMatchObject({
        revision: live.revision,
        labels: live.labels,
        metadata: live.metadata,
      });
      expect(session.archives).toEqual(live.archives);
      expect(session.snapshots.map((one) => one.name)).toEqual(live.snapshots.map((one) => one.name));
      expect(session.commits.entries.map((entry) => entry.id)).toContain("given");
      const ids = idsOf(session.messages);
      expect(ids.slice(-live.messageCount)).toEqual(idsOf(live.messages));
      expect(ids).toHaveLength(
        live.messageCount + live.archives.reduce((sum, one) => sum + one.messageCount, 0),
      );
    }),
    behaviour("a bundle does not contain the running turn", ["G7"], async (store) => {
      await startTurn(store, "s", { messages: numbered(1) });
      expect((await store.exportSession("s")).session).not.toHaveProperty("turn");
    }),
    behaviour("exporting a session does not change it", ["G5"], async (store) => {
      await store.addMessage("s", numbered(2));
      const [first, second] = [await store.exportSession("s"), await store.exportSession("s")];
      expectSameJson(second, first);
      expect(await existingSession(store, "s")).toMatchObject({ revision: 1 });
    }),
    behaviour("exporting an absent session is SESSION_NOT_FOUND", [], async (store) => {
      await expectError(store.exportSession("nobody"), "SESSION_NOT_FOUND", { sessionId: "nobody" });
    }),
  ],
};
