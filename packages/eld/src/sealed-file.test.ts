import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealStart } from './sealed-file.ts';
import { verifyFile } from './verify.ts';

const MADE_AT = '2026-11-24T09:14:00.000Z';
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A pack as the server writes it, around any bytes. */
function packOf(body: Uint8Array): Buffer {
  const start = Buffer.concat([Buffer.from('%PDF-1.7\n'), body, Buffer.from(sealStart(MADE_AT))]);
  return Buffer.concat([start, Buffer.from(`${digestOf(start)}\n`)]);
}

const pack = packOf(Buffer.from('a map, a table, data'));
const withByte = fc.tuple(fc.uint8Array({ maxLength: 400 }), fc.nat(), fc.integer({ min: 1, max: 255 }));

describe('[R2.06] an evidence pack', () => {
  it('is verified with what it says of itself, and with the digest that was kept of it', () => {
    const file = { sha256: digestOf(pack), bytes: pack.length, madeAt: MADE_AT };
    expect(verifyFile(pack)).toEqual({ kind: 'sealed-file', ok: true, file });
    expect(verifyFile(pack, [digestOf(pack).toUpperCase()])).toMatchObject({ ok: true });
  });

  it('with any byte changed, added or removed, fails', () => {
    fc.assert(
      fc.property(withByte, ([body, place, change]) => {
        const whole = packOf(body);
        expect(verifyFile(whole).ok).toBe(true);
        const at = place % whole.length;
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] as number) ^ change;
        const inserted = Buffer.concat([whole.subarray(0, at), Buffer.from([change]), whole.subarray(at)]);
        const removed = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]);
        const longer = Buffer.concat([whole, Buffer.from([change])]);
        for (const forged of [changed, inserted, removed, longer, whole.subarray(0, at)]) {
          expect(verifyFile(forged).ok).toBe(false);
        }
      }),
    );
  });

  it('that was written anew, seal and all, fails only against a digest that was kept', () => {
    const forged = packOf(Buffer.from('another map'));
    expect(verifyFile(forged).ok).toBe(true);
    expect(verifyFile(forged, [digestOf(pack)])).toMatchObject({ ok: false, sentence: expect.stringMatching(/kept/) });
  });
});

it('any other file is verified by the digest that was kept of it, and unknown without', () => {
  const csv = Buffer.from('vehicle,time_utc\r\n');
  expect(verifyFile(csv, [digestOf(csv)])).toMatchObject({ kind: 'sealed-file', ok: true, file: { madeAt: null } });
  expect(verifyFile(csv)).toMatchObject({ kind: 'unknown', ok: false });
  expect(verifyFile(csv, [digestOf(pack)])).toMatchObject({ ok: false });
  expect(verifyFile(Buffer.from('%PDF-1.4 a letter'))).toMatchObject({ kind: 'sealed-file', ok: false });
});
