import { expect, it } from 'vitest';
import { chunks, joinCsv } from './join-csv.ts';

it('many vehicles are asked for in parts and make one file with one header', () => {
  expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(joinCsv(['imei,deviceName\r\n1,A\r\n', 'imei,deviceName\r\n2,B\r\n', 'imei,deviceName\r\n3,C'])).toBe(
    'imei,deviceName\r\n1,A\r\n2,B\r\n3,C',
  );
  expect(joinCsv(['imei\n1\n'])).toBe('imei\n1\n');
});
