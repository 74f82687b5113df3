import { commandLabel } from '@milepost/contract';
import { expect, it } from 'vitest';
import { readOrder } from './verbs.ts';

it.each([
  ['cmd track truck 7', { verb: 'cmd', action: 'trackOnDemand', rest: 'truck 7' }],
  ['CMD stop engine 4127', { verb: 'cmd', action: 'engineStop', rest: '4127' }],
  ['cmd enginestop 4127', { verb: 'cmd', action: 'engineStop', rest: '4127' }],
  ['cmd 4127', { verb: 'cmd', action: null, rest: '4127' }],
  ['share R-214', { verb: 'share', action: null, rest: 'R-214' }],
  ['follow dana', { verb: 'follow', action: null, rest: 'dana' }],
  ['share', null],
  ['4127', null],
  ['', null],
])('%s', (query, order) => {
  expect(readOrder(query, commandLabel)).toEqual(order);
});
