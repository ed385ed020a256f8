import { describe, expectTypeOf, test } from "vitest";
import { type OptionNames, requireOptions, type StoreOptions, storeOptionsOf } from "../../src/backend.js";

interface Sample {
  readonly first?: string | undefined;
  readonly second?: number | undefined;
}

describe("a list of option names", () => {
  test("has every name of its type and no other", () => {
    const complete: OptionNames<Sample> = { first: true, second: "count" };
    expectTypeOf(complete).toHaveProperty("first");
    // @ts-expect-error second is missing
    const lacking: OptionNames<Sample> = { first: true };
    // @ts-expect-error third is no option
    const surplus: OptionNames<Sample> = { first: true, second: true, third: true };
    // @ts-expect-error there is no such kind
    const kinds: OptionNames<Sample> = { first: "word", second: true };
    void [lacking, surplus, kinds];
  });

  test("of a union has the names of all its members", () => {
    type Either = { readonly url: string } | { readonly client: object };
    const names: OptionNames<Either> = { url: "text", client: "object" };
    // @ts-expect-error client is missing
    const lacking: OptionNames<Either> = { url: "text" };
    void [names, lacking];
  });
});

test("checked options keep their type", () => {
  const names: OptionNames<Sample> = { first: true, second: true };
  expectTypeOf(requireOptions<Sample>({ first: "a" }, names)).toEqualTypeOf<Sample>();
  expectTypeOf(storeOptionsOf({})).toEqualTypeOf<StoreOptions>();
});
