import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { annotated } from '../testing/annotated.ts';
import { framesOf } from '../testing/stream.ts';
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
    ['charging', '20 00', '', 'charging'],
    ['the full battery', '20 01', '', null],
    ['the end of charging', '20 02', '', null],
    ['a low battery', '20 03', '0a 01 14', 'batteryLow'],
    ['a battery that is too low', '20 04', '0a 01 05', 'batteryLow'],
    ['harsh acceleration', '72 01', '808c 09 010258000000000000', 'harshAcceleration'],
    ['harsh braking', '72 01', '808c 09 020258000000000000', 'harshBraking'],
    ['a harsh turn', '72 01', '808c 09 030258000000000000', 'harshCornering'],
    ['braking in a turn', '72 01', '808c 09 050258000000000000', 'harshBraking'],
  ])('tell of %s', (_, id, items, event) => {
    expect(recordOf(id, `${items} ${FULL_LOCATION}`)).toMatchObject([{ ...PLACE, event }]);
    expect(recordOf(id, `${items} 0203414243`)).toMatchObject([{ kind: 'status', event }]);
  });

  it('have the battery, the mileage and the hours of the engine', () => {
    const items = '0a 01 1f 1f 04 000900b0 22 04 00046500';
    const values = { odometer: 590_000, attributes: { batteryLevel: 31, engineHours: 288_000 } };
    expect(recordOf('50 00', `${items} ${FULL_LOCATION}`)).toMatchObject([{ ...PLACE, ...values }]);
    expect(recordOf('50 00', items)).toMatchObject([
      { kind: 'status', attributes: { ...values.attributes, odometer: 590_000 } },
    ]);
    expect(recordOf('50 00', `0a 00 1f 00 22 00 ${FULL_LOCATION}`)).toMatchObject([{ ...PLACE, odometer: null }]);
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

  it('may be signs of life of 24 bytes, and answers to commands in text', () => {
    const life = annotated('2b 10 18 0352093081452251 8001 0007 00 5e362f5a 10f2 14 24 |');
    const answer = '+ACK:ACK,352093081452251,C031,10,0,,012F,20210407101530,1234$';
    const query = '+QRY:ACK,352093081452251,C031,10,0,1,1,,,,0,,0C37,20210407101530,1234$';
    const stream = Uint8Array.of(...life, ...new TextEncoder().encode(answer + query), ...life);
    for (const size of [1, 24, 1000]) {
      const { frames, garbage } = framesOf(gl200Tcp, stream, size);
      expect(garbage).toBe(0);
      const session = { imei: null, receivedAt: epochMs(0) };
      const messages = frames.map(frame => gl200Tcp.decode(frame, session).messages);
      expect(messages).toMatchObject([
        [{ kind: 'login', imei: '352093081452251' }, { kind: 'heartbeat' }],
        [{ imei: '352093081452251' }, { kind: 'reply', text: 'ACK', reference: 0x012f }],
        [{ imei: '352093081452251' }, { kind: 'reply', text: 'QRY ACK 1 1 0', reference: 0x0c37 }],
        [{ kind: 'login' }, { kind: 'heartbeat' }],
      ]);
    }
  });
});
