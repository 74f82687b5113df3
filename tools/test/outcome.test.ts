import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeScratchFolder, removeScratchFolder } from '../../apps/server/testing/scratch.ts';
import { ROOT } from '../launch/install.mjs';
import { countTests, summarise } from './outcome.ts';

const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

function resultsOf(results: object): string {
  const file = join(scratch, 'results.json');
  writeFileSync(
    file,
    JSON.stringify({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, testResults: [], ...results }),
  );
  return file;
}

describe('counting Vitest’s results', () => {
  it('counts passed, failed and skipped tests', () => {
    expect(countTests(resultsOf({}), 0)).toEqual({ passed: 3, failed: 0, skipped: 1, failures: [] });
  });

  it('names each failed test, with the first line of its failure', () => {
    const failed = {
      status: 'failed',
      fullName: 'a trip has an end',
      failureMessages: ['\u001b[31mno end\u001b[39m\nat'],
    };
    const passed = { status: 'passed', fullName: 'a trip has a start', failureMessages: [] };
    const testResults = [
      { name: join(ROOT, 'a.test.ts'), status: 'failed', message: '', assertionResults: [passed, failed] },
    ];
    expect(countTests(resultsOf({ numFailedTests: 1, testResults }), 1)).toMatchObject({
      failed: 1,
      failures: ['a.test.ts › a trip has an end: no end'],
    });
  });

  it('counts a file that could not run as a failure', () => {
    const testResults = [
      { name: join(ROOT, 'a.test.ts'), status: 'failed', message: 'No such module\nat', assertionResults: [] },
    ];
    expect(countTests(resultsOf({ testResults }), 1)).toMatchObject({
      passed: 3,
      failed: 1,
      failures: ['a.test.ts › did not run: No such module'],
    });
  });

  it('counts a failure outside the tests, and missing results', () => {
    expect(countTests(resultsOf({}), 1)).toMatchObject({ passed: 3, failed: 1 });
    expect(countTests(join(scratch, 'nowhere.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});

it('ends with the sum over everything', () => {
  const types = { name: 'types', passed: 1, failed: 0, skipped: 0 };
  const tests = { name: 'tests', passed: 7, failed: 2, skipped: 1, failures: ['a', 'b'] };
  const { text, ok } = summarise([types, tests]);
  expect(text.split('\n')).toEqual([
    '  ✓ types',
    '  ✗ tests (7 passed, 2 failed, 1 skipped)',
    '      a',
    '      b',
    '',
    '8 passed, 2 failed',
  ]);
  expect(ok).toBe(false);
  expect(summarise([types]).ok).toBe(true);
});
