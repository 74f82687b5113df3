import { expect, it } from 'vitest';
import { isRefusal } from './refusal.ts';

it.each([
  'WARNING: Command not found',
  'Unknown command or invalid format.',
  'ERROR: 100',
  'Error!',
  'RELAY,1 FAIL',
  'Fail: speed limit 20KM/h',
  '8103 failed',
  '8103 message wrong',
  '8105 not supported',
  'operation not allowed',
  'unable to store',
  'Password error',
  'command not executed',
])('[R3.08] recognizes %s as a refusal', text => {
  expect(isRefusal(text)).toBe(true);
});

it.each([
  '',
  'OK',
  'DOUT1:1 Timeout:INFINITY',
  '8103 done',
  'Relay on, restore fuel OK',
  'Cut off the fuel supply: Success!',
  'RTC Init:2026/1/15 8:30 Rst:1 Err:0 SR:0 BR:0 CF:0 FG:0 FL:0 SMS:0 NOGPS:0:0 GPS:1 SAT:9',
  'INI:2026/1/15 RTC:2026/1/15 RST:2 ERR:1 SR:0 BR:0',
  'Err:0',
  'Battery:NORMAL; GPRS:Link Up; GSM Signal Level:Strong; GPS:Successful positioning; ACC:ON; Defense:OFF; failures 3',
])('[R3.08] does not take %j for a refusal', text => {
  expect(isRefusal(text)).toBe(false);
});
