import { mergeConfig } from "vitest/config";
import shared from "../../../vitest.shared.mjs";

// Many small files that leave nothing behind: one process for all of them starts once.
export default mergeConfig(shared, { test: { isolate: false } });
