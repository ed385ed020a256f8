import type { Section } from "../../case.js";
import { lifeCases } from "./base-merges/lives.js";
import { resultCases } from "./base-merges/results.js";
import { rewriteCases } from "./base-merges/rewrites.js";

export const baseMerges: Section = {
  name: "base merges",
  cases: [...rewriteCases, ...resultCases, ...lifeCases],
};
