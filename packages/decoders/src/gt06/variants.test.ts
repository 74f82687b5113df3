import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import type { Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { gt06 } from './decode.ts';
import { shortPacket } from './encode.ts';

/** Packets of makers that differ from the document: no fix may be lost, and nothing else may be taken for a fix. */

const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(Date.UTC(2026, 2, 4)) };
const decode = (type: number, content: string) =>
  gt06.decode(shortPacket(type, annotated(content), 7), SESSION).messages[0];

const TIME = '1a0304050607';
const FIX = `${TIME} cb 047e3764 0966d308 30 1c5a`;
const PLACE = { kind: 'position', time: Date.UTC(2026, 2, 4, 5, 6, 7), valid: true, satellites: 11 };
const TOWER = '0136 04 81fe 066d9b';

describe('GT06 without a position', () => {
  it.each([0x24, 0x31])('takes towers under packet %i for no fix', type => {
    expect(decode(type, `${TIME} 0106 02 81fe 066d9b 31 81fe 066d9c 2c 00`)).toEqual({
      kind: 'status',
      time: PLACE.time,
      event: null,
      attributes: { cells: '262-2-33278-421275:49 262-2-33278-421276:44' },
    });
  });

  it('does not read fewer 4G towers than documented as a fix', () => {
    expect(decode(0xa2, `${TIME} 0203 44 00000000 0000000000000000 00 000000000000`)).toMatchObject({
      kind: 'status',
      time: PLACE.time,
    });
  });

  it('still reads a fix under the same protocol numbers', () => {
    expect(decode(0x24, `${FIX} ${TOWER}`)).toMatchObject({ ...PLACE, attributes: { cell: '310-4-33278-421275' } });
    expect(decode(0x31, `${FIX} ${TOWER}`)).toMatchObject(PLACE);
  });

  it('does not read text as mileage', () => {
    const card = '4142432020202020';
    expect(decode(0x12, `${FIX} ${TOWER} 01 00 00 0008 ${card}`)).toMatchObject({ ...PLACE, odometer: null });
    expect(decode(0x12, `${FIX} ${TOWER} 01 00 00 00202020`)).toMatchObject({ ...PLACE, odometer: 0x202020 });
  });
});

describe('GT06 with a fix in an unusual position', () => {
  const IMEI = '0352093081452251';

  it.each([0x12, 0x22, 0x16, 0x26, 0x47, 0xa0])('finds it behind an IMEI under packet %i', type => {
    expect(decode(type, `${IMEI} ${FIX} ${TOWER}`)).toMatchObject({
      ...PLACE,
      attributes: { imei: '352093081452251', cell: '310-4-33278-421275' },
    });
  });

  it.each([0x25, 0x47, 0xa7, 0xf3, 0x7e])('finds it under packet %i', type => {
    expect(decode(type, FIX)).toMatchObject(PLACE);
    expect(decode(type, `0102 ${FIX} ${TOWER} 05`)).toMatchObject(PLACE);
  });

  it.each(['', '00', '09', `09 ${TOWER}`, `09 ${TOWER} 46 06 04 01`, `10 0136 04 000081fe 0000000000066d9b`])(
    'reads an alarm that ends with “%s”',
    tail => {
      for (const type of [0x16, 0x26, 0x27, 0xa3, 0xa4]) expect(decode(type, `${FIX} ${tail}`)).toMatchObject(PLACE);
    },
  );

  it('reads the state after a tower of the other generation', () => {
    expect(decode(0xa3, `${FIX} 09 ${TOWER} 46 06 04 01 02`)).toMatchObject({
      ...PLACE,
      event: 'sos',
      ignition: true,
      attributes: { cell: '310-4-33278-421275', batteryLevel: 100 },
    });
  });

  it('reads modules at the start of the packet', () => {
    const module = `0033 0012 ${(PLACE.time / 1000).toString(16)} 0b 0000 047e3764 0966d308 30 1c5a`;
    for (const head of ['', '0000000102']) expect(decode(0x70, `${head} ${module}`)).toMatchObject(PLACE);
  });

  it('reads one-byte information, and a fix in it', () => {
    expect(decode(0x94, '00 05')).toEqual({
      kind: 'status',
      time: null,
      event: null,
      attributes: { informationKind: 0, data: '05' },
    });
    expect(decode(0x94, `0f ${FIX}`)).toMatchObject(PLACE);
  });

  it('reads the fix in a request for an address', () => {
    expect(decode(0x2a, `${FIX} 31323334353637 00000000000000000000000000 0000 0002`)).toMatchObject(PLACE);
  });

  it.each([0x11, 0x14, 0x17, 0x2e, 0xf3])(
    'finds one with inputs in the bits that documents leave clear, under %i',
    type => {
      for (const word of ['5c5a', '9c5a', 'dc5a']) {
        const fix = `${TIME} cb 047e3764 0966d308 30 ${word}`;
        expect(decode(type, `${fix} ${TOWER}`)).toMatchObject({ ...PLACE, attributes: { cell: '310-4-33278-421275' } });
        expect(decode(type, `${IMEI} ${fix}`)).toMatchObject(PLACE);
      }
    },
  );

  it('in a heartbeat of any length, without values from its bytes', () => {
    for (const tail of ['', '01', `${TOWER} 0105040302`]) {
      expect(decode(0x36, `${FIX} ${tail}`)).toMatchObject(PLACE);
      expect(decode(0x36, `${FIX} ${tail}`)).not.toHaveProperty('attributes.batteryLevel');
    }
  });

  it('in modules of which the last does not fit', () => {
    const module = `0033 0012 ${(PLACE.time / 1000).toString(16)} 0b 0000 047e3764 0966d308 30 1c5a`;
    for (const tail of ['00', '006a00', '0043000aab']) {
      for (const head of ['', '0000000102']) expect(decode(0x70, `${head} ${module} ${tail}`)).toMatchObject(PLACE);
    }
  });
});
