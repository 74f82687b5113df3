import { epochMs, metres } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixes, orNull } from '../testing/reports.ts';
import { galileosky } from './decode.ts';
import { encodeHead, encodePacks } from './encode.ts';

const IMEI = '352093081452251';
const SESSION = { imei: IMEI, receivedAt: epochMs(0) };

const sent = fc
  .record({
    fix: fixes({ steps: 1e6, speed: 'tenths of km/h', stepMs: 1 }),
    altitude: orNull(fc.integer({ min: -500, max: 9000 })),
    satellites: fc.integer({ min: 0, max: 15 }),
    odometer: orNull(fc.integer({ min: 0, max: 4e9 })),
    rfid: orNull(fc.constantFrom('0091020C', '0900000091020C5C')),
  })
  .map(({ fix, altitude, ...rest }) => ({
    ...fix,
    ...rest,
    valid: true,
    altitude: altitude === null ? null : metres(altitude),
    odometer: rest.odometer === null ? null : metres(rest.odometer),
  }));

it('records survive a round trip, as many as fit into a pack', () => {
  fc.assert(
    fc.property(fc.array(sent, { minLength: 1, maxLength: 30 }), positions => {
      const packs = encodePacks(positions as never, 1);
      for (const pack of packs) expect(pack.length).toBeLessThanOrEqual(1005);
      const messages = packs.flatMap(pack => galileosky.decode(pack, SESSION).messages);
      expect(messages).toHaveLength(positions.length);
      for (const [i, position] of positions.entries()) {
        if (position.lat === 0 && position.lon === 0) continue;
        const { attributes: _, speed, odometer, ...expected } = position;
        expect(messages[i]).toMatchObject({ ...expected, attributes: { recordNumber: i + 1 } });
        expect(messages[i]).toHaveProperty('speed', expect.closeTo(speed ?? 0, 6));
        if (odometer !== null) expect(messages[i]).toHaveProperty('odometer', odometer);
      }
    }),
    { numRuns: 100 },
  );
});

it('head packs survive a round trip', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{15}$/), imei => {
      const [login] = galileosky.decode(encodeHead(imei), { ...SESSION, imei: null }).messages;
      expect(login).toMatchObject({ kind: 'login', imei });
    }),
  );
});
