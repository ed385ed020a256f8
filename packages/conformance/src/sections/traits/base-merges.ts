import type { Section } from "../../case.js";
import { incarnationCases } from "./base-merges/incarnations.js";
import { resultCases } from "./base-merges/results.js";
import { rewriteCases } from "./base-merges/rewrites.js";

export const baseMerges: Section = {
  name: "base merges",
  cases: [...rewriteCases, ...resultCases, ...incarnationCases],
};
