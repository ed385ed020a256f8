import type { MockLanguageModelV3 } from "ai/test";

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

export declare function saying(text: string): readonly Part[];
export declare function calling(
  ...calls: readonly (readonly [id: string, name: string, input: object])[]
): readonly Part[];
export declare function scriptedModel(
  steps: readonly (readonly Part[])[],
  before?: (part: Part) => Promise<unknown>,
): MockLanguageModelV3;
