import { defineConfig } from "vitest/config";

/** How every package runs its tests. A package's vitest.config.mjs is one line that hands this on. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,mjs}"],
    // Other packages are taken as they were built, by Node itself: their users have them like this, and transforming
    // every one of their modules again for each test file costs more than many a test.
    server: { deps: { external: [/\/dist\//] } },
    // A loaded machine is not a failed test: nothing here measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Concurrent tests mostly wait: for a lease, an expiry, a disk.
    maxConcurrency: 10,
    // scripts/test.mjs adds these reports up. They are outputs of the turbo task, so a cached run has them
    // too.
    reporters: ["default", ["json", { outputFile: "reports/vitest.json" }]],
  },
});
