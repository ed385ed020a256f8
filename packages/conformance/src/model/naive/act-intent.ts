import type { Json } from "@sessions/protocol";
import fc from "fast-check";
import { type Choice, choice } from "../choice.js";
import { hostileJson, hostileKey, hostileText } from "../hostile-json.js";

/** One call of a public method; what it refers to is chosen when it is made. */
export type ActIntent = { readonly session: number } & (
  | { readonly act: "say"; readonly texts: readonly string[] }
  | { readonly act: "use-tool"; readonly text: string }
  | { readonly act: "say-again"; readonly which: Choice; readonly other: boolean }
  | {
      readonly act: "replace";
      readonly keep: Choice;
      readonly edit: boolean;
      readonly archived: boolean;
      readonly texts: readonly string[];
    }
  | {
      readonly act: "merge";
      readonly which: Choice;
      readonly drop: Choice | undefined;
      readonly texts: readonly string[];
    }
  | { readonly act: "replace-unchanged"; readonly withIds: boolean }
  | { readonly act: "pop"; readonly exchange: boolean }
  | { readonly act: "clear" }
  | { readonly act: "remove"; readonly which: readonly Choice[]; readonly stranger: boolean }
  | { readonly act: "update"; readonly which: Choice; readonly text: string }
  | { readonly act: "archive"; readonly keepRecent: number }
  | { readonly act: "settle"; readonly which: Choice; readonly fails: boolean }
  | { readonly act: "snapshot"; readonly name: string }
  | { readonly act: "revert"; readonly name: string }
  | { readonly act: "drop-snapshot"; readonly name: string }
  | { readonly act: "revert-to"; readonly which: Choice }
  | { readonly act: "metadata"; readonly key: string; readonly value: Json }
  | { readonly act: "title"; readonly title: string | null }
  | { readonly act: "count"; readonly name: string; readonly delta: number }
  | { readonly act: "fork"; readonly at: Choice | undefined; readonly to: number }
  | { readonly act: "move"; readonly to: number }
  | { readonly act: "create" }
  | { readonly act: "delete" }
);

const session = fc.constantFrom(0, 0, 0, 1, 1, 2);
const texts = fc.array(hostileText, { minLength: 1, maxLength: 3 });
const snapshotName = fc.constantFrom("n1", "n2", "constructor");

function act<Kind extends ActIntent["act"], Fields extends object>(
  kind: Kind,
  fields: { readonly [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<{ readonly session: number; readonly act: Kind } & Fields>;
function act(kind: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.record({ session, act: fc.constant(kind), ...fields });
}

const oneAct: fc.Arbitrary<ActIntent> = fc.oneof(
  { weight: 8, arbitrary: act("say", { texts }) },
  { weight: 4, arbitrary: act("use-tool", { text: hostileText }) },
  { weight: 2, arbitrary: act("say-again", { which: choice, other: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: act("replace", { keep: choice, edit: fc.boolean(), archived: fc.boolean(), texts }),
  },
  {
    weight: 4,
    arbitrary: act("merge", { which: choice, drop: fc.option(choice, { nil: undefined }), texts }),
  },
  { weight: 1, arbitrary: act("replace-unchanged", { withIds: fc.boolean() }) },
  { weight: 3, arbitrary: act("pop", { exchange: fc.boolean() }) },
  { weight: 1, arbitrary: act("clear", {}) },
  {
    weight: 2,
    arbitrary: act("remove", {
      which: fc.array(choice, { minLength: 1, maxLength: 2 }),
      stranger: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: act("update", { which: choice, text: hostileText }) },
  { weight: 4, arbitrary: act("archive", { keepRecent: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: act("settle", { which: choice, fails: fc.boolean() }) },
  { weight: 3, arbitrary: act("snapshot", { name: snapshotName }) },
  { weight: 3, arbitrary: act("revert", { name: snapshotName }) },
  { weight: 1, arbitrary: act("drop-snapshot", { name: snapshotName }) },
  { weight: 2, arbitrary: act("revert-to", { which: choice }) },
  { weight: 3, arbitrary: act("metadata", { key: hostileKey, value: hostileJson }) },
  { weight: 1, arbitrary: act("title", { title: fc.option<string, null>(hostileText, { nil: null }) }) },
  {
    weight: 2,
    arbitrary: act("count", {
      name: fc.constantFrom("turns", "__proto__"),
      delta: fc.integer({ min: -2, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: act("fork", { at: fc.option(choice, { nil: undefined }), to: session }) },
  { weight: 1, arbitrary: act("move", { to: session }) },
  { weight: 1, arbitrary: act("create", {}) },
  { weight: 1, arbitrary: act("delete", {}) },
);

/** A sequence of calls on a few sessions. */
export const sequenceOfActs: fc.Arbitrary<readonly ActIntent[]> = fc.array(oneAct, {
  minLength: 1,
  maxLength: 30,
  size: "max",
});
