import { mergeConfig } from "vitest/config";
import shared from "../vitest.shared.mjs";

// A run starts four processes: so many runs at once are enough.
export default mergeConfig(shared, { test: { maxConcurrency: 3 } });
