import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../launch/install.mjs';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export interface Outcome extends Counts {
  readonly name: string;
  /** One line each: the file, the test's name, and how its failure begins. */
  readonly failures?: readonly string[];
}

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const CHARACTERS_OF_A_FAILURE = 200;

/**
 * Counts the results that Vitest wrote, and names what failed. Errors that kept tests from running, or occurred outside them, count as
 * failures, too.
 */
export function countTests(file: string, exitStatus: number | null): Omit<Outcome, 'name'> {
  let results: Results;
  try {
    results = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const failures = results.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failedTests = assertionResults.filter(({ status }) => status === 'failed');
      if (failedTests.length === 0) return [describeFailure(name, 'did not run', message)];
      return failedTests.map(({ fullName, failureMessages }) =>
        describeFailure(name, fullName, failureMessages[0] ?? ''),
      );
    });
  return {
    passed: results.numPassedTests,
    failed: failures.length === 0 && exitStatus !== 0 ? 1 : failures.length,
    skipped: results.numPendingTests,
    failures,
  };
}

function describeFailure(file: string, test: string, message: string): string {
  const [firstLine = ''] = stripVTControlCharacters(message).split('\n');
  return `${relative(ROOT, file)} › ${test}: ${firstLine.slice(0, CHARACTERS_OF_A_FAILURE)}`;
}

export function summarise(outcomes: readonly Outcome[]): { readonly text: string; readonly ok: boolean } {
  const sum = (of: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[of], 0);
  const lines = outcomes.flatMap(({ name, passed, failed, skipped, failures = [] }) => {
    const counts = passed + failed + skipped === 1 ? '' : ` (${passed} passed, ${failed} failed, ${skipped} skipped)`;
    return [`  ${failed === 0 ? '✓' : '✗'} ${name}${counts}`, ...failures.map(failure => `      ${failure}`)];
  });
  return {
    text: [...lines, '', `${sum('passed')} passed, ${sum('failed')} failed`].join('\n'),
    ok: sum('failed') === 0,
  };
}
