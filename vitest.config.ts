import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BROWSER_FLAGS, findBrowser } from './tools/test/browser.ts';
import { SlowestFirst } from './tools/test/slowest-first.ts';

const PROPERTY_SEED = 'tools/test/property-seed.ts';
const COMPONENT_TESTS = 'apps/web/src/**/*.component.test.tsx';

/**
 * Tests stand beside the code. `units` needs nothing, `server` gets one real embedded PostgreSQL for the whole run
 * (`testDatabase()`), `web` is the browser's code without a browser, `components` its pages in a real one with answers from a table, `e2e`
 * walks the running product.
 */
export default defineConfig({
  test: {
    // Most of the slow ones wait for processes and sockets: four at a time even on two cores.
    maxWorkers: Math.max(4, availableParallelism()),
    maxConcurrency: 10,
    // Fewer, longer collections: a twentieth of the work in tests that make many short-lived objects.
    execArgv: ['--min-semi-space-size=64'],
    sequence: { sequencer: SlowestFirst },
    tags: [{ name: 'long', description: 'Left out of `npm test`; `npm run test:long` runs these.', timeout: 240_000 }],
    // A busy machine is slow, not wrong: what should become true is waited for.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 35_000 } },
    projects: [
      {
        extends: true,
        // A file need not load again what others have loaded: loading took most of the time.
        test: {
          name: 'units',
          include: ['packages/*/src/**/*.test.ts'],
          setupFiles: PROPERTY_SEED,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          exclude: [COMPONENT_TESTS],
          setupFiles: [PROPERTY_SEED, 'apps/web/testing/as-at-the-start.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        // The app's own plugins change only what is built. Styles need React's.
        plugins: [react()],
        publicDir: 'apps/web/public',
        // Found before the first test: a package found later would reload the page in the middle of one.
        optimizeDeps: { entries: ['apps/web/src/main.tsx', COMPONENT_TESTS], include: ['axe-core'] },
        test: {
          name: 'components',
          include: [COMPONENT_TESTS],
          setupFiles: ['apps/web/testing/component-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: { executablePath: findBrowser() ?? undefined, args: [...BROWSER_FLAGS] },
              contextOptions: { colorScheme: 'light', reducedMotion: 'reduce', deviceScaleFactor: 0.5 },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1440, height: 900 } }],
            locators: { exact: false },
            screenshotFailures: false,
            traceView: false,
            dependencySourcemaps: false,
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [
            '{apps/server,apps/simulator}/src/**/*.test.ts',
            'apps/server/testing/**/*.test.ts',
            '{tools,bench}/**/*.test.ts',
          ],
          setupFiles: [PROPERTY_SEED, 'apps/server/testing/quick-passwords.ts'],
          globalSetup: 'apps/server/testing/database-setup.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          globalSetup: 'apps/server/testing/database-setup.ts',
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          // Files share their worker's browser, one after the other. They wait for about a third of their time, so three
          // browsers keep two cores busy; four take as long.
          maxWorkers: Math.max(3, availableParallelism()),
        },
      },
    ],
  },
});
