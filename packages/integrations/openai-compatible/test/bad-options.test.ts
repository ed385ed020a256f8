import { expect, test } from "vitest";
import { openaiCompatibleRunner } from "../src/index.js";

test("openaiCompatibleRunner refuses options that it does not know", () => {
  const create = openaiCompatibleRunner as (options: unknown) => unknown;
  for (const options of [null, 5, "x", [], new Map(), { noSuchOption: 1 }])
    expect(() => create(options)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  expect(() => create({ baseURL: "http://localhost", modl: "x" })).toThrow('Did you mean "model"?');
});
