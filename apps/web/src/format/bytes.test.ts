import { expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

it.each([
  [0, '0\u202fB'],
  [830, '830\u202fB'],
  [1024, '1\u202fKB'],
  [12_600, '12\u202fKB'],
  [4_400_000, '4.2\u202fMB'],
  [52_428_800, '50\u202fMB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
