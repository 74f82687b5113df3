import { epochMs, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PositionMessage, Session } from '../protocol.ts';
import { fixes, orNull } from '../testing/reports.ts';
import { ALARM_BITS } from './alarms.ts';
import { jt808 } from './decode.ts';
import { encodeBatch, encodeHeartbeat, encodeLocation, encodeResponse } from './encode.ts';

const SESSION: Session = { imei: null, receivedAt: epochMs(0) };

const identity = fc.oneof(
  fc.stringMatching(/^\d{12}$/),
  fc.stringMatching(/^\d{15}$/),
  // IMEIs without their check digit; whether a binary number has a digit above nine depends on the first digits.
  fc.constantFrom('86545606123456', '35209308145225'),
);
const events = [...new Set(ALARM_BITS.map(([, event]) => event))].filter(event => event !== 'alarm');

const positions = fc
  .record({
    fix: fixes({ steps: 1_000_000, speed: 'tenths of km/h', to: Date.UTC(2099) }),
    altitude: fc.integer({ min: -500, max: 9000 }).map(metres),
    ignition: fc.boolean(),
    odometer: orNull(fc.integer({ min: 0, max: 0xffff_ffff }).map(value => metres(value * 100))),
    gsm: orNull(fc.integer({ min: 0, max: 31 })),
    satellites: orNull(fc.integer({ min: 0, max: 40 })),
    decilitres: orNull(fc.integer({ min: 0, max: 0xffff })),
    event: orNull(fc.constantFrom(...events)),
  })
  .map(
    ({ fix, decilitres, ...rest }): PositionMessage => ({
      ...fix,
      ...rest,
      attributes: { ...(decilitres === null ? {} : { fuelVolume: decilitres / 10 }) },
    }),
  );

describe('JT/T 808', () => {
  it('location', () => {
    fc.assert(
      fc.property(identity, positions, fc.integer({ min: 0, max: 0xffff }), (imei, position, serial) => {
        const { messages } = jt808.decode(encodeLocation(imei, position, serial), SESSION);
        expect(messages[0]).toEqual({ kind: 'login', imei });
        const [, decoded] = messages;
        if (decoded?.kind !== 'position') throw new Error('no position');
        const { speed, ...others } = decoded;
        const { speed: sent, ...expected } = position;
        expect(others).toEqual(expected);
        expect(speed).toBeCloseTo(sent!, 9);
      }),
    );
  });

  it('batch', () => {
    fc.assert(
      fc.property(fc.array(positions, { maxLength: 12 }), batch => {
        const { messages } = jt808.decode(encodeBatch('352093081452251', batch, 1), SESSION);
        expect(messages.slice(1)).toMatchObject(batch.map(({ time, lat, lon, event }) => ({ time, lat, lon, event })));
      }),
      { numRuns: 50 },
    );
  });

  it('heartbeat and response', () => {
    const heartbeat = jt808.decode(encodeHeartbeat('352093081452251', 3), SESSION);
    expect(heartbeat.messages[1]).toEqual({ kind: 'heartbeat', attributes: {} });
    const response = jt808.decode(encodeResponse('352093081452251', 3, 42, 0x8201, 1), SESSION);
    expect(response.messages[1]).toEqual({ kind: 'reply', text: '8201 failed', reference: 42 });
  });
});
