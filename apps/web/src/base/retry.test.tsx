import { globSync, readFileSync } from 'node:fs';
import { NetworkError, ProblemError } from '@milepost/client';
import { PROBLEMS, type ProblemCode } from '@milepost/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import registry from '../locales/en-US/registry.json';
import { ReadState } from '../registry/ReadState.tsx';
import { describeError } from './describe-error.ts';
import { i18n, startI18n } from './i18n.ts';
import { loadProblemTexts } from './language/problem-texts.ts';
import { canRetry, retriesByItself } from './retry.ts';

beforeAll(async () => {
  await startI18n();
  await loadProblemTexts();
  i18n.addResourceBundle('en-US', 'registry', registry);
});

const problem = (code: string, status: number) =>
  new ProblemError({ type: `/problems/${code}`, title: 'No.', status, code });
const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const statusOf = (code: ProblemCode): number => PROBLEMS[code].status;
const shownFor = (error: Error): string =>
  renderToStaticMarkup(createElement(ReadState, { error, onRetry: () => undefined }));

describe('[R8.05] “Try again”', () => {
  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [409, false],
    [413, false],
    [422, false],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
    [504, true],
  ])('after %i: %s', (status, offered) => {
    expect(canRetry(problem('some-code', status))).toBe(offered);
    expect(shownFor(problem('some-code', status)).includes('Try again')).toBe(offered);
  });

  it('is offered where nobody answered, or someone else did', () => {
    expect(shownFor(new NetworkError('unreachable', null))).toContain('Try again');
    expect(shownFor(new NetworkError('foreign', 403))).toContain('Try again');
  });

  it('is not offered for any problem of the contract that was refused on purpose', () => {
    const offered = CODES.filter(code => canRetry(problem(code, statusOf(code))));
    expect(offered.filter(code => statusOf(code) < 500 && statusOf(code) !== 429)).toEqual([]);
    expect(CODES.filter(code => statusOf(code) >= 500).every(code => offered.includes(code))).toBe(true);
  });

  it('happens by itself three times, and not where the server wants to be left alone', () => {
    const broken = problem('internal', 500);
    expect([0, 1, 2, 3].map(failures => retriesByItself(failures, broken))).toEqual([true, true, true, false]);
    expect(retriesByItself(0, problem('too-many-requests', 429))).toBe(false);
    expect(retriesByItself(0, problem('not-allowed', 403))).toBe(false);
  });

  it('is one text, of one button', () => {
    const root = new URL('../../../../', import.meta.url);
    const files = globSync('{apps/web/src/locales,packages/contract/src/texts}/en-US/*.json', { cwd: root });
    const texts = files.flatMap(file => readFileSync(new URL(file, root), 'utf8').match(/"[Tt]ry again"/g) ?? []);
    expect(texts).toEqual(['"Try again"']);
  });
});

describe('[R8.05] what someone may not do', () => {
  it.each(['not-allowed', 'out-of-scope', 'more-than-you-hold'])('says who can grant it: %s', code => {
    expect(describeError(problem(code, 403)).message).toMatch(/\. An owner( or admin)? can /);
  });
});
