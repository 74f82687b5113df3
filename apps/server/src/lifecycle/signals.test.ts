import pino from 'pino';
import { expect, it } from 'vitest';
import { createSignals } from './signals.ts';

const silent = pino({ level: 'silent' });

it('runs handlers synchronously, in the order they were added, until they are removed', () => {
  const signals = createSignals(silent);
  const heard: string[] = [];
  const off = signals.on('sessions-ended', ({ sessionIds }) => heard.push(`first ${sessionIds}`));
  signals.on('sessions-ended', ({ sessionIds }) => heard.push(`second ${sessionIds}`));
  signals.on('vehicle-changed', () => heard.push('of another signal'));
  signals.emit('sessions-ended', { sessionIds: ['a'] });
  off();
  signals.emit('sessions-ended', { sessionIds: ['b'] });
  expect(heard).toEqual(['first a', 'second a', 'second b']);
});

it('keeps a failing handler from affecting the others or the sender', () => {
  const signals = createSignals(silent);
  const heard: number[] = [];
  signals.on('vehicle-changed', () => {
    throw new Error('broken');
  });
  signals.on('vehicle-changed', ({ vehicleId }) => heard.push(vehicleId));
  signals.emit('vehicle-changed', { vehicleId: 7, accountId: 1, imei: '356307042441013' });
  expect(heard).toEqual([7]);
});
