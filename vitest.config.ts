import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const PROPERTY_SEED = 'tools/test/property-seed.ts';

/**
 * Tests stand beside the code. `units` needs nothing, `server` gets one real embedded PostgreSQL for the whole run
 * (`testDatabase()`), `web` is the browser's code without a browser, `e2e` walks the running product in a real one.
 */
export default defineConfig({
  test: {
    // Most of the slow ones wait for processes and sockets: two at a time even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { test: { name: 'units', include: ['packages/*/src/**/*.test.ts'], setupFiles: PROPERTY_SEED } },
      { test: { name: 'web', include: ['apps/web/src/**/*.test.{ts,tsx}'], setupFiles: PROPERTY_SEED } },
      {
        test: {
          name: 'server',
          include: ['{apps/server,apps/simulator}/src/**/*.test.ts', '{tools,bench}/**/*.test.ts'],
          globalSetup: 'apps/server/src/testing/database-setup.ts',
          setupFiles: PROPERTY_SEED,
          testTimeout: 40_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          globalSetup: 'apps/server/src/testing/database-setup.ts',
          testTimeout: 120_000,
          // A busy machine is slow, not wrong: what a page shows is waited for.
          expect: { poll: { timeout: 15_000 } },
          hookTimeout: 120_000,
          // They wait more than they compute: two browsers keep two cores busy.
          maxWorkers: 2,
        },
      },
    ],
  },
});
