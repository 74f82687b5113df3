import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { annotated } from '../testing/annotated.ts';
import { gl200Tcp } from './decode.ts';

/** A report made of records, by the @Track protocol of GV500CNA (2023): head, one record, tail. */
function recordOf(id: string, items: string) {
  const content = annotated(`64f9aaf6 | time\n 0000 | count\n ${id} | record, event\n ${items} | data`);
  const long = content.length + 1 > 0x7f;
  const record = Uint8Array.of(...(long ? [0x80, content.length + 2] : [content.length + 1]), ...content);
  const head = annotated('01 0352093081452251 0000 001b 00 00 |');
  const length = 4 + head.length + record.length + 4;
  const frame = Uint8Array.of(0x2b, 0, length >> 8, length & 255, ...head, ...record, 1, 0x23, 0, 0x24);
  return gl200Tcp.decode(frame, { imei: null, receivedAt: epochMs(0) }).messages.slice(1);
}

/** Satellites, longitude, latitude, time, and ten bytes that are not explained. */
const FULL_LOCATION = '52 16 09 fac6e254 027f042a 69a7bdbf 017d0a00250001b30c';
const PLACE = {
  kind: 'position',
  time: Date.UTC(2026, 2, 4, 5, 6, 7),
  lat: 41.87857,
  lon: -87.629228,
};

describe('Queclink records', () => {
  it('have data IDs and lengths of two bytes', () => {
    expect(recordOf('50 00', `808c 09 000258000000000000 20 8080 ${'00'.repeat(128)} ${FULL_LOCATION}`)).toMatchObject([
      { ...PLACE, event: null },
    ]);
  });

  it.each([
    ['ignition on', '30 00', '13 04 69a7bdbf', 'ignitionOn'],
    ['the shutdown', '05 00', '0203414243 16 02 000c', 'powerOff'],
    ['idling', '54 00', '', 'idling'],
    ['the end of idling', '54 01', '', 'idlingEnd'],
    ['still idling', '54 02', '', null],
    ['towing', '13 00', '', 'towing'],
    ['harsh acceleration', '72 01', '808c 09 010258000000000000', 'harshAcceleration'],
    ['harsh braking', '72 01', '808c 09 020258000000000000', 'harshBraking'],
    ['a harsh turn', '72 01', '808c 09 030258000000000000', 'harshCornering'],
    ['braking in a turn', '72 01', '808c 09 050258000000000000', 'harshBraking'],
  ])('tell of %s', (_, id, items, event) => {
    expect(recordOf(id, `${items} ${FULL_LOCATION}`)).toMatchObject([{ ...PLACE, event }]);
    expect(recordOf(id, `${items} 0203414243`)).toMatchObject([{ kind: 'status', event }]);
  });

  it.each([
    ['09', true],
    ['28', true],
    ['04', false],
    ['01', false],
  ])('say with %s whether there was a fix, or the last one is repeated', (state, valid) => {
    const mini = `51 0f ${state} ${FULL_LOCATION.slice(9, 35)} 017d`;
    expect(recordOf('50 00', mini)).toMatchObject([{ ...PLACE, valid, speed: expect.closeTo(38.1 / 3.6, 6) }]);
    const [idling] = recordOf('54 00', mini);
    expect(idling).toMatchObject({ valid, time: valid ? PLACE.time : Date.UTC(2023, 8, 7, 10, 50, 30) });
  });

  it.each([
    ['1b 01 00', false],
    ['1b 01 01', true],
    ['1b 01 02', null],
  ])('have the ignition (%s)', (item, ignition) => {
    expect(recordOf('50 00', `${item} ${FULL_LOCATION}`)).toMatchObject([{ ...PLACE, ignition }]);
    expect(recordOf('30 00', `${item} ${FULL_LOCATION}`)).toMatchObject([{ ...PLACE, ignition: true }]);
  });
});
