import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const PROPERTY_SEED = 'tools/test/property-seed.ts';

/**
 * Tests stand beside the code. `units` needs nothing, `server` gets one real embedded PostgreSQL for the whole run
 * (`testDatabase()`), `web` is the browser's code without a browser, `e2e` walks the running product in a real one.
 */
export default defineConfig({
  test: {
    // Most of the slow ones wait for processes and sockets: three at a time even on two cores.
    maxWorkers: Math.max(3, availableParallelism()),
    // A busy machine is slow, not wrong: what should become true is waited for.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: PROPERTY_SEED,
    projects: [
      {
        extends: true,
        // Packages and server keep nothing in their modules: a file need not load them anew.
        test: { name: 'units', include: ['packages/*/src/**/*.test.ts'], isolate: false },
      },
      { extends: true, test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{apps/server,apps/simulator}/src/**/*.test.ts', '{tools,bench}/**/*.test.ts'],
          globalSetup: 'apps/server/src/testing/database-setup.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          globalSetup: 'apps/server/src/testing/database-setup.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // They wait more than they compute: two browsers keep two cores busy.
          maxWorkers: 2,
        },
      },
    ],
  },
});
