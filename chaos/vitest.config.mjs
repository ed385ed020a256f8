import { mergeConfig } from "vitest/config";
import shared from "../vitest.shared.mjs";

// A run starts four processes, so more concurrent runs would only slow each other down.
export default mergeConfig(shared, { test: { maxConcurrency: 3 } });
