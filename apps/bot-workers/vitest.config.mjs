import { mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.mjs";

// Every kill costs a lease, and a run has processes enough to be slow on a busy machine.
export default mergeConfig(shared, { test: { testTimeout: 180_000 } });
