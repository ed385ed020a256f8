import { expect, test } from "vitest";
import { slotOf } from "../src/engine/partition-tags.js";
import { Keys } from "../src/keys/keys.js";
import { idOfMember, memberOf } from "../src/keys/member.js";

const IDS = ["a", "user:1", "{a}", "a}{b", "%7b", "%", "{", "}", "é", "😀", "\uffff", "\ue000", "a\nb", "\0"];

test("distinct ids have distinct keys, all of them in the slot of their partition", () => {
  const keys = new Keys("p", 64);
  const names = IDS.flatMap((id) => [keys.session(id).session, keys.session(id).record]);
  expect(new Set(names).size).toBe(2 * IDS.length);
  for (const id of IDS) {
    const { record, session, partition } = keys.session(id);
    for (const key of [record, session, partition.head, partition.recent])
      expect(slotOf(/\{([^}]*)\}/.exec(key)?.[1] ?? "")).toBe(slotOf(partition.name));
    expect(keys.sessionOfRecord(record)).toBe(id);
  }
});

test("the bytes of members are in the order of JavaScript strings, and lead back to the id", () => {
  const ids = [...IDS, "b", "a😀", "a\uffff", "a\ud7ff", "z\ue000", "z\u{10000}"];
  const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(memberOf(a)), Buffer.from(memberOf(b))));
  expect(byBytes).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
  expect(ids.map((id) => idOfMember(memberOf(id)))).toEqual(ids);
});
