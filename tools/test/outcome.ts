import { readFileSync } from 'node:fs';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export interface Outcome extends Counts {
  readonly name: string;
}

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts the results that Vitest wrote. Errors that kept tests from running, or occurred outside them, count as
 * failures, too.
 */
export function countTests(file: string, exitStatus: number | null): Counts {
  let results: Results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const filesThatDidNotRun = results.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some(assertion => assertion.status === 'failed'),
  ).length;
  const failed = results.numFailedTests + filesThatDidNotRun;
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && exitStatus !== 0 ? 1 : failed,
    skipped: results.numPendingTests,
  };
}

export function summarise(outcomes: readonly Outcome[]): { readonly text: string; readonly ok: boolean } {
  const sum = (of: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[of], 0);
  const lines = outcomes.map(({ name, passed, failed, skipped }) => {
    const counts = passed + failed + skipped === 1 ? '' : ` (${passed} passed, ${failed} failed, ${skipped} skipped)`;
    return `  ${failed === 0 ? '✓' : '✗'} ${name}${counts}`;
  });
  return {
    text: [...lines, '', `${sum('passed')} passed, ${sum('failed')} failed`].join('\n'),
    ok: sum('failed') === 0,
  };
}
