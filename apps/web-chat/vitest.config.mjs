import { mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.mjs";

// The test files share one process, because starting one for each costs more and no file leaves state behind.
export default mergeConfig(shared, { test: { isolate: false } });
