import type { Json } from "@sessions/protocol";
import fc from "fast-check";
import { type Choice, choice } from "../choice.js";
import { hostileJson, hostileKey, hostileText } from "../hostile-json.js";

/** One call of a public method. Its target is chosen when it is made. */
export type ActionIntent = { readonly session: number } & (
  | { readonly action: "append"; readonly texts: readonly string[] }
  | { readonly action: "append-tool-call"; readonly text: string }
  | { readonly action: "append-again"; readonly which: Choice; readonly other: boolean }
  | {
      readonly action: "replace";
      readonly keep: Choice;
      readonly edit: boolean;
      readonly archived: boolean;
      readonly texts: readonly string[];
    }
  | {
      readonly action: "merge";
      readonly which: Choice;
      readonly drop: Choice | undefined;
      readonly texts: readonly string[];
    }
  | { readonly action: "replace-unchanged"; readonly withIds: boolean }
  | { readonly action: "pop"; readonly exchange: boolean }
  | { readonly action: "clear" }
  | { readonly action: "remove"; readonly which: readonly Choice[]; readonly unknownId: boolean }
  | { readonly action: "update"; readonly which: Choice; readonly text: string }
  | { readonly action: "archive"; readonly keepRecent: number }
  | { readonly action: "settle"; readonly which: Choice; readonly fails: boolean }
  | { readonly action: "snapshot"; readonly name: string }
  | { readonly action: "revert"; readonly name: string }
  | { readonly action: "drop-snapshot"; readonly name: string }
  | { readonly action: "revert-to"; readonly which: Choice }
  | { readonly action: "metadata"; readonly key: string; readonly value: Json }
  | { readonly action: "title"; readonly title: string | null }
  | { readonly action: "count"; readonly name: string; readonly delta: number }
  | { readonly action: "fork"; readonly at: Choice | undefined; readonly to: number }
  | { readonly action: "export-import"; readonly to: number }
  | { readonly action: "create" }
  | { readonly action: "delete" }
);

const session = fc.constantFrom(0, 0, 0, 1, 1, 2);
const texts = fc.array(hostileText, { minLength: 1, maxLength: 3 });
const snapshotName = fc.constantFrom("n1", "n2", "constructor");

function action<Kind extends ActionIntent["action"], Fields extends object>(
  kind: Kind,
  fields: { readonly [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<{ readonly session: number; readonly action: Kind } & Fields>;
function action(kind: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.record({ session, action: fc.constant(kind), ...fields });
}

const oneAction: fc.Arbitrary<ActionIntent> = fc.oneof(
  { weight: 8, arbitrary: action("append", { texts }) },
  { weight: 4, arbitrary: action("append-tool-call", { text: hostileText }) },
  { weight: 2, arbitrary: action("append-again", { which: choice, other: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: action("replace", { keep: choice, edit: fc.boolean(), archived: fc.boolean(), texts }),
  },
  {
    weight: 4,
    arbitrary: action("merge", { which: choice, drop: fc.option(choice, { nil: undefined }), texts }),
  },
  { weight: 1, arbitrary: action("replace-unchanged", { withIds: fc.boolean() }) },
  { weight: 3, arbitrary: action("pop", { exchange: fc.boolean() }) },
  { weight: 1, arbitrary: action("clear", {}) },
  {
    weight: 2,
    arbitrary: action("remove", {
      which: fc.array(choice, { minLength: 1, maxLength: 2 }),
      unknownId: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: action("update", { which: choice, text: hostileText }) },
  { weight: 4, arbitrary: action("archive", { keepRecent: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: action("settle", { which: choice, fails: fc.boolean() }) },
  { weight: 3, arbitrary: action("snapshot", { name: snapshotName }) },
  { weight: 3, arbitrary: action("revert", { name: snapshotName }) },
  { weight: 1, arbitrary: action("drop-snapshot", { name: snapshotName }) },
  { weight: 2, arbitrary: action("revert-to", { which: choice }) },
  { weight: 3, arbitrary: action("metadata", { key: hostileKey, value: hostileJson }) },
  { weight: 1, arbitrary: action("title", { title: fc.option<string, null>(hostileText, { nil: null }) }) },
  {
    weight: 2,
    arbitrary: action("count", {
      name: fc.constantFrom("turns", "__proto__"),
      delta: fc.integer({ min: -2, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: action("fork", { at: fc.option(choice, { nil: undefined }), to: session }) },
  { weight: 1, arbitrary: action("export-import", { to: session }) },
  { weight: 1, arbitrary: action("create", {}) },
  { weight: 1, arbitrary: action("delete", {}) },
);

/** A sequence of calls. */
export const sequenceOfActions: fc.Arbitrary<readonly ActionIntent[]> = fc.array(oneAction, {
  minLength: 1,
  maxLength: 30,
  size: "max",
});
