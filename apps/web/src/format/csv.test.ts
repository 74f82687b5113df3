import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+cmd|x', "'+cmd|x"],
  ['-2', '-2'],
  ['-4.5', '-4.5'],
  ['-2+3', "'-2+3"],
  ['\t=1', "'\t=1"],
  ['62%', '62%'],
  ['1,204', '"1,204"'],
  ['Bob "the" Builder', '"Bob ""the"" Builder"'],
  ['two\nlines', '"two\nlines"'],
  ['Line haul › North', 'Line haul › North'],
])('a cell with %j', (text, cell) => {
  expect(csvOf([[text, 'x']])).toBe(`\ufeff${cell},x\r\n`);
});
