import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebWhenStale } from './launch/build-web.ts';
import { ROOT } from './launch/install.mjs';
import { superviseChildren } from './launch/supervise.ts';
import { findOrInstallBrowser } from './test/browser.ts';
import { findOrInstallNats } from './test/nats.ts';
import { countTests, type Outcome, summarise } from './test/outcome.ts';

/**
 * `npm test`: runs all checks, one after the other, even after a failure. Ends with `N passed, M failed`; each check
 * counts as one, each test as one. `npm run test:long` runs the tests tagged `long` instead: kills, starts, and
 * brute-force searches.
 */
const isLong = process.argv.includes('long');
const CHECKS: readonly (readonly [name: string, script: string, ...args: string[]])[] = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ['imports', 'tools/check-imports.ts'],
  ['documents', 'tools/check-docs.ts'],
];

/**
 * Side by side, each with one checker: those of one program share nothing, so that the usual four infer the contract's
 * types four times, which costs three times as much processor time.
 */
const TYPES: readonly (readonly [name: string, project: string])[] = [
  ['types of the web app', 'apps/web/tsconfig.json'],
  ['types', 'tsconfig.json'],
  ['types of the browser tests', 'e2e/tsconfig.json'],
];

const children = superviseChildren({ interruptedStatus: 130 });
const folder = mkdtempSync(join(tmpdir(), 'milepost-results-'));
const outcomes: Outcome[] = [];
// While the first checks and tests run; only one program can install at a time.
const natsThere = findOrInstallNats();
const browserThere = natsThere.then(findOrInstallBrowser);

if (!isLong) {
  for (const [name, script, ...args] of CHECKS) await check(name, () => run(script, args));
  const checked = TYPES.map(([name, project]) => ({ name, done: checkTypes(project) }));
  for (const { name, done } of checked) {
    await check(name, async () => {
      const { code, printed } = await done;
      process.stdout.write(printed);
      return code;
    });
  }
}
await check('web app builds', async () => ((await buildWebWhenStale(children)) ? 0 : 1));
if (!(await natsThere)) process.stdout.write('There is no nats-server: tests of several nodes are skipped.\n');
await test(isLong ? 'long tests' : 'unit and integration tests', ['units', 'web', 'server']);
await check('a browser is there', async () => {
  const browser = await browserThere;
  process.stdout.write(`${browser ?? 'There is no Chrome or Chromium. Install one (apt-get install chromium).'}\n`);
  if (browser) process.env.MILEPOST_BROWSER = browser;
  return browser ? 0 : 1;
});
if (process.env.MILEPOST_BROWSER) {
  if (!isLong) await test('component tests', ['components']);
  await test(isLong ? 'long tests of the running product' : 'browser tests', ['e2e']);
}

rmSync(folder, { recursive: true });
const { text, ok } = summarise(outcomes);
process.stdout.write(`\n${text}\n`);
process.exit(ok ? 0 : 1);

async function check(name: string, work: () => Promise<number | null>): Promise<void> {
  process.stdout.write(`\n── ${name}\n`);
  const passed = (await work()) === 0;
  outcomes.push({ name, passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });
}

async function test(name: string, projects: readonly string[]): Promise<void> {
  process.stdout.write(`\n── ${name}\n`);
  const file = join(folder, `${projects.join('-')}.json`);
  const status = await run('node_modules/vitest/vitest.mjs', [
    'run',
    '--passWithNoTests',
    `--tags-filter=${isLong ? 'long' : '!long'}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...projects.flatMap(project => ['--project', project]),
  ]);
  outcomes.push({ name, ...countTests(file, status) });
}

function checkTypes(project: string): Promise<{ code: number | null; printed: string }> {
  return new Promise(resolve => {
    children.start(join(ROOT, 'node_modules/typescript/bin/tsc'), {
      args: ['-p', project, '--checkers', '1'],
      quiet: true,
      onExit: (code, printed) => resolve({ code, printed }),
    });
  });
}

function run(script: string, args: readonly string[]): Promise<number | null> {
  return new Promise(resolve => {
    children.start(join(ROOT, script), { args, onExit: resolve });
  });
}
