import type { Recording } from "../recording.js";
import type { Scenario } from "../scenario.js";
import { say } from "./say.js";

/** Two processes on one disk. */
export const TWO_WRITERS: readonly Scenario[] = [
  {
    name: "first opening by two",
    on: "folder",
    async act(recording) {
      const release = recording.disk.holdSyncs("a");
      const first = recording.open("a");
      const second = await recording.open("b");
      await second.addMessage("s", say("from-b"));
      release();
      await (await first).addMessage("s", say("from-a"));
    },
  },
  {
    name: "created by two at once",
    async act(recording) {
      const [a, b] = [await recording.open("a"), await recording.open("b")];
      await Promise.all([a.addMessage("s", say("from-a")), b.addMessage("s", say("from-b"))]);
    },
  },
  {
    name: "one builds upon the other",
    async act(recording) {
      const [a, b] = [await recording.open("a"), await recording.open("b")];
      await a.addMessage("s", say("one"));
      const release = recording.disk.holdSyncs("a");
      const slow = a.addMessage("s", say("slow", "slow ".repeat(40)));
      await written(recording, "a", 2);
      await b.addMessage("s", say("fast"));
      release();
      await slow;
    },
  },
  {
    name: "one overtakes the other",
    async act(recording) {
      const [a, b] = [await recording.open("a"), await recording.open("b")];
      await a.addMessage("s", say("one"));
      await b.addMessage("s", say("two"));
      await overtaken(recording, () => a.addMessage("s", say("late")));
      await b.addMessage("s", say("last"));
    },
  },
  {
    name: "the same commit by both",
    async act(recording) {
      const [a, b] = [await recording.open("a"), await recording.open("b")];
      await a.addMessage("s", say("one"));
      await b.getSession("s");
      const release = recording.disk.holdSyncs("a");
      const first = a.addMessage("s", say("same"), { commitId: "c" });
      await written(recording, "a", 2);
      await b.addMessage("s", say("same"), { commitId: "c" });
      release();
      await first;
    },
  },
  {
    name: "the same commit, overtaken",
    async act(recording) {
      const a = await recording.open("a");
      await a.addMessage("s", say("one"));
      await overtaken(recording, () => a.addMessage("s", say("fast"), { commitId: "fast" }));
    },
  },
];

/** Resolves when a process has appended this many times. */
async function written({ disk }: Recording, process: string, times: number): Promise<void> {
  const count = (): number =>
    disk.events.filter((event) => event.kind === "written" && event.process === process).length;
  while (count() < times) await new Promise((resolve) => setImmediate(resolve));
}

/** A process appends, and another one does at the last moment before it; its sync comes when the first has resolved. */
async function overtaken(recording: Recording, act: () => Promise<unknown>): Promise<void> {
  const { disk } = recording;
  const events = await recording.elsewhere("fast", (store) =>
    store.addMessage("s", say("fast"), { commitId: "fast" }),
  );
  const end = events.findIndex((event) => event.kind === "written") + 1;
  let happened = false;
  disk.beforeNextAppend("a", () => {
    for (const event of events.slice(0, end)) disk.apply(event);
    happened = true;
  });
  await act();
  if (!happened) throw new Error("nobody was overtaken");
  for (const event of events.slice(end)) disk.apply(event);
}
