import { mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.mjs";

export default mergeConfig(shared, {
  test: {
    // Many small files that leave nothing behind: one process for all of them starts once.
    isolate: false,
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
  },
});
