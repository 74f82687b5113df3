import { hasImeiCheckDigit } from '@milepost/contract';

/** The nth of many different IMEIs, each with its check digit. */
export function testImei(n: number): string {
  const body = `35${String(n).padStart(12, '0')}`;
  const imei = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(hasImeiCheckDigit);
  if (imei === undefined) throw new Error('There is always one check digit.');
  return imei;
}
