import { epochMs, fromKilometresPerHour } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { crc16Itu } from '../crc16.ts';
import type { Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { gt06 } from './decode.ts';
import { shortPacket } from './encode.ts';

/** Packets of makers that differ from the document: no fix may be lost, and nothing else may be taken for a fix. */

const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(Date.UTC(2026, 2, 4)) };
const decode = (type: number, content: string, long = false) =>
  gt06.decode((long ? longPacket : shortPacket)(type, annotated(content), 7), SESSION).messages[0];

/** As `shortPacket`, with a length of two bytes. */
function longPacket(type: number, content: Uint8Array, serial: number): Uint8Array {
  const short = shortPacket(type, content, serial);
  const length = short[2] ?? 0;
  const inside = [0, length, ...short.subarray(3, -4)];
  const checked = crc16Itu(Uint8Array.from(inside), 0, inside.length);
  return Uint8Array.of(0x79, 0x79, ...inside, checked >> 8, checked & 0xff, 0x0d, 0x0a);
}

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

describe('GT06 with towers of another form', () => {
  const LONG_TOWER = '8136 0104 81fe 066d9b';
  const FOUND = { ...PLACE, ignition: true, odometer: 0x1234, attributes: { cell: '310-260-33278-421275' } };

  it.each([0x12, 0x22])('reads what follows a tower with a network code of two bytes, under %i', type => {
    expect(decode(type, `${FIX} ${LONG_TOWER} 01 02 00 00001234`)).toMatchObject(FOUND);
    expect(decode(type, `${FIX} ${LONG_TOWER}`)).toMatchObject({ ...PLACE, attributes: FOUND.attributes });
  });

  it.each([0x12, 0x22, 0xa0])('reads the same under the start with a length of two bytes, under %i', type => {
    const tower = type === 0xa0 ? '0136 04 000081fe 0000000000066d9b' : TOWER;
    for (const long of [false, true]) {
      expect(decode(type, `${FIX} ${tower} 01 02 00 00001234`, long)).toMatchObject({
        ...FOUND,
        attributes: { cell: '310-4-33278-421275' },
      });
    }
  });

  it.each([0x16, 0x26, 0x27, 0xa3, 0xa4])('reads the state of an alarm whose tower has no length, under %i', type => {
    const fence = type === 0x27 || type === 0xa4 ? '05' : '';
    expect(decode(type, `${FIX} 00 46 06 04 01 02 ${fence}`)).toMatchObject({
      ...PLACE,
      event: 'sos',
      ignition: true,
      attributes: { batteryLevel: 100, ...(fence === '' ? {} : { fence: 5 }) },
    });
  });

  it('reads stations after fewer towers than documented', () => {
    const stations = '02 1801eb404039 30 1801eb404038 31';
    const wifi = '18:01:EB:40:40:39:48 18:01:EB:40:40:38:49';
    const small = '81fe 066d9b 31 81fe 066d9c 2c';
    const large = '000081fe 0000000000066d9b 31 000081fe 0000000000066d9c 2c';
    for (const [type, towers] of [
      [0x2c, small],
      [0xa2, large],
    ] as const) {
      expect(decode(type, `${TIME} 0136 04 ${towers} 01 ${stations}`)).toEqual({
        kind: 'status',
        time: PLACE.time,
        event: null,
        attributes: { cells: '310-4-33278-421275:49 310-4-33278-421276:44', wifi },
      });
      expect(decode(type, `${TIME} 0136 04 ${towers} 01 00`)).toMatchObject({
        attributes: { cells: '310-4-33278-421275:49 310-4-33278-421276:44' },
      });
    }
  });
});

describe('GT06 answers in words', () => {
  const replies = (words: string, receivedAt = SESSION.receivedAt) => {
    const content = Uint8Array.of(0, 0, 0, 9, 1, ...new TextEncoder().encode(words));
    return gt06.decode(shortPacket(0x21, content, 7), { ...SESSION, receivedAt }).messages;
  };
  const WHERE = 'Lat:N41.878100,Lon:W87.629800,Course:90.00,Speed:48.0000,DateTime:';
  const SPOKEN = { kind: 'position', lat: 41.8781, lon: -87.6298, course: 90, speed: fromKilometresPerHour(48) };

  it('give the place that WHERE asked for', () => {
    const [answer, place] = replies(`${WHERE}26-03-04 05:06:07`);
    expect(answer).toMatchObject({ kind: 'reply', reference: 9 });
    expect(place).toMatchObject({ ...SPOKEN, valid: true, time: PLACE.time });
    expect(replies(`Last position!${WHERE}2026-03-04  05:06:07`)[1]).toMatchObject({ valid: false, time: PLACE.time });
    expect(replies('No data!')).toHaveLength(1);
  });

  it('that say where the tracker is now have the time of its zone', () => {
    const receivedAt = epochMs(PLACE.time + 3000);
    for (const words of ['2026-03-04  05:06:07', '2026-03-04  07:06:07', '2026-03-03 23:36:07']) {
      expect(replies(`Current position!${WHERE}${words}`, receivedAt)[1]).toMatchObject({
        ...SPOKEN,
        time: PLACE.time,
      });
    }
    expect(replies(`Current position!${WHERE}2026-03-01  05:06:07`, receivedAt)[1]).toMatchObject({
      time: PLACE.time - 3 * 86_400_000,
    });
  });
});

describe('GT06 logins', () => {
  it.each([
    ['0352093081452251', '352093081452251'],
    ['352093081452251f', '352093081452251'],
    ['1352093081452251', '1352093081452251'],
  ])('with %s are those of %s', (digits, imei) => {
    expect(decode(0x01, digits)).toEqual({ kind: 'login', imei, attributes: {} });
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
