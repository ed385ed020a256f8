import { mergeConfig } from "vitest/config";
import shared from "../vitest.shared.mjs";

export default mergeConfig(shared, { test: { maxConcurrency: 2, testTimeout: 180_000 } });
