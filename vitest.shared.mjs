import { defineConfig } from "vitest/config";

/** How every package runs its tests. A package's vitest.config.mjs is one line that hands this on. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,mjs}"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"], tsconfig: "./tsconfig.json" },
    // A loaded machine is not a failed test: nothing here measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // scripts/test.mjs adds these reports up. They are outputs of the turbo task, so a cached run has them
    // too.
    reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
  },
});
