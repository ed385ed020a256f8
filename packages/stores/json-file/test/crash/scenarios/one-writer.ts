import { append, extend } from "@sessions/protocol";
import type { Scenario } from "../scenario.js";
import { say } from "./say.js";

/** One process at work on a session or two. */
export const ONE_WRITER: readonly Scenario[] = [
  {
    name: "first opening",
    on: "folder",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", say("one"));
    },
  },
  {
    name: "first opening makes the folder too",
    on: "nothing",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", say("one"));
    },
  },
  {
    name: "create",
    async act(recording) {
      const store = await recording.open("a");
      await store.createSession("s", { title: "A title", labels: { user: "u" }, messages: [say("one")] });
      await store.patchSession("s", { title: "Another", metadata: { mood: "calm" } });
      await store.createSession("empty");
    },
  },
  {
    name: "append, one after the other",
    async act(recording) {
      const store = await recording.open("a");
      for (const id of ["one", "two", "three", "four"]) await store.addMessage("s", say(id));
    },
  },
  {
    name: "append, one group commit",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", say("one"));
      await Promise.all(["two", "three", "four", "five"].map((id) => store.addMessage("s", say(id))));
      await Promise.all(["six", "seven"].map((id) => store.addMessage("s", [say(id), say(`${id}-b`)])));
    },
  },
  {
    name: "append in several lines",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", say("one"));
      // Arrays of more than 256 elements stand in lines of their own.
      await store.addMessage(
        "s",
        Array.from({ length: 257 }, (_, index) => ({ id: `m${index}`, role: "u" })),
      );
      await store.addMessage("s", say("two"));
    },
  },
  {
    name: "append over several sectors",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", say("one"));
      await store.addMessage("s", say("large", "large ".repeat(500)));
      await store.addMessage("s", say("two"));
    },
  },
  {
    name: "replace",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", [say("one"), say("two"), say("three")]);
      await store.setChatHistory("s", [say("one"), say("new")]);
      await store.removeMessages("s", ["one"]);
      await store.clearSession("s");
    },
  },
  {
    name: "archive and settle",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", [say("one"), say("two"), say("three"), say("four")]);
      const archived = await store.archiveMessages("s", { keepRecent: 2 });
      await store.addMessage("s", say("five"));
      await store.settleArchive("s", archived?.id ?? "none", { summary: "one and two" });
    },
  },
  {
    name: "snapshot and revert",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", [say("one"), say("two")]);
      await store.createSnapshot("s", "early");
      await store.setChatHistory("s", [say("other")]);
      await store.revertToSnapshot("s", "early");
      await store.dropSnapshot("s", "early");
    },
  },
  {
    name: "fork",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", [say("one"), say("two")]);
      await store.forkSession("s", { at: "one", newId: "fork" });
      await Promise.all([store.addMessage("s", say("three")), store.addMessage("fork", say("four"))]);
    },
  },
  {
    name: "delete and create again",
    async act(recording) {
      const store = await recording.open("a");
      await store.addMessage("s", [say("one"), say("two")]);
      await store.deleteSession("s");
      await store.addMessage("s", say("anew"));
      await store.deleteSession("s");
    },
  },
  {
    name: "turn",
    async act(recording) {
      const store = await recording.open("a");
      const begun = await store.beginTurn("s", { turnId: "t", renew: false, messages: say("question") });
      if (begun.status !== "begun") throw new Error("the turn did not begin");
      const { turn } = begun;
      await turn.append({ id: "answer", role: "assistant", content: "So", status: "partial" });
      await turn.extend("answer", { text: " far" });
      await turn.complete([extend("answer", { text: ", so good", status: "complete" })]);
    },
  },
  {
    name: "expiry",
    async act(recording) {
      const store = await recording.open("a");
      await store.createSession("s", { expiresAt: recording.clock.now() + 1000, messages: [say("one")] });
      await store.addMessage("s", say("two"));
      await store.createSession("kept", { expiresAt: recording.clock.now() + 9000 });
      recording.clock.advance(2000);
      await store.addMessage("s", say("anew"));
      await store.commit("kept", [append(say("one"))]);
    },
  },
];
