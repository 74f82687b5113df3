import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildChains, fileOf } from './testing/chains.ts';
import { duty, recorded } from './testing/entries.ts';
import { verifyCommand } from './verify-command.ts';

const built = buildChains([recorded(duty('ON', '8:00')), recorded(duty('D', '8:30')), recorded(duty('OFF', '9:00'))]);
const FILES: Readonly<Record<string, string>> = {
  'log.jsonl': fileOf(built),
  'cut.jsonl': fileOf({ ...built, own: built.own.toSpliced(1, 1) }),
  'sample.csv': readFileSync(new URL('testing/eld-output-sample.csv', import.meta.url), 'utf8'),
  'letter.txt': 'Dear officer',
};
const run = (...args: string[]) =>
  verifyCommand(args, path => {
    const text = FILES[path];
    if (text === undefined) throw new Error('ENOENT');
    return Buffer.from(text);
  });

describe('npm run verify-log', () => {
  it('prints what was verified, as JSON', () => {
    const root = built.roots[0]?.root ?? '';
    expect(JSON.parse(run('log.jsonl', root).line ?? '')).toMatchObject({
      kind: 'log',
      ok: true,
      log: { log: 'driver:12', entries: 3, roots: [{ day: '2026-02-03', root }] },
    });
    expect(JSON.parse(run('sample.csv').line ?? '')).toEqual({
      kind: 'output-file',
      ok: true,
      file: { driver: 'Ana Rivera', madeAt: '020326 153500', records: 17, preview: false, comment: 'INSP 4471' },
    });
  });

  it.each([
    [['cut.jsonl'], /^driver:12, record 2 \(record .*, line 3: A record before this one is missing\.$/],
    [['letter.txt'], /^This is not an exported log, an ELD output file or an evidence pack\.$/],
    [['log.jsonl', 'ab'.repeat(32)], /^driver:12: The root you have kept does not match/],
    [['log.jsonl', 'root'], /^root is not a daily root or digest/],
    [['none.csv'], /^The file none\.csv can’t be read\.$/],
    [[], /^Name the file to check/],
  ])('describes the problem in a sentence: %j', (args, sentence) => {
    const answer = run(...args);
    expect(answer.line).toBeNull();
    expect(answer.error).toMatch(sentence);
  });

  it('names the first fault of an output file', () => {
    const forged = { 'forged.csv': FILES['sample.csv']?.replace('134500', '124500') ?? '' };
    expect(verifyCommand(['forged.csv'], path => Buffer.from(forged[path as 'forged.csv']))).toEqual({
      line: null,
      error: 'Line 17, ELD Event List: The line does not match its check value D2; it should be AA.',
    });
  });
});
