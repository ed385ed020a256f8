import type { Scenario } from "../scenario.js";
import { ONE_WRITER } from "./one-writer.js";
import { ROTATION } from "./rotation.js";
import { TWO_WRITERS } from "./two-writers.js";

/** Everything that the power is cut in. */
export const SCENARIOS: readonly Scenario[] = [...ONE_WRITER, ...TWO_WRITERS, ...ROTATION];
