import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../byte-writer.ts';
import { crc16Itu } from '../crc16.ts';
import type { DecodedMessage, Session } from '../protocol.ts';
import { annotated } from '../testing/annotated.ts';
import { gt06 } from './decode.ts';
import { shortPacket } from './encode.ts';

/** Packets known only from recordings, rebuilt here with our own values. */

const SESSION: Session = { imei: '352093081452251', receivedAt: 0 as Session['receivedAt'] };
const FIX = '1a0304050607 cb 047e3764 0966d308 30 1c5a';
const TOWER = '0136 04 81fe 066d9b';
const PLACE = { kind: 'position', lat: 41.8781, lon: -87.6298, time: Date.UTC(2026, 2, 4, 5, 6, 7) };
const TIME = Date.UTC(2026, 2, 4, 5, 6, 7);

const decode = (type: number, content: string): DecodedMessage =>
  gt06.decode(shortPacket(type, annotated(content), 1), SESSION).messages[0]!;

/** Under the long start. */
function decodeLong(type: number, content: string): DecodedMessage {
  const bytes = annotated(content);
  const frame = new ByteWriter()
    .u16(0x7979)
    .u16(bytes.length + 5)
    .u8(type)
    .bytes(bytes)
    .u16(1)
    .done();
  const whole = new ByteWriter()
    .bytes(frame)
    .u16(crc16Itu(frame, 2, frame.length))
    .u16(0x0d0a)
    .done();
  return gt06.decode(whole, SESSION).messages[0]!;
}

describe('GT06 locations known from recordings', () => {
  it('an empty one is a heartbeat', () => {
    expect(decode(0x12, '')).toEqual({ kind: 'heartbeat', attributes: {} });
  });

  it('0x12 with a probe after status and volts', () => {
    expect(decode(0x12, `${FIX} ${TOWER} 46 04d2 04 0000 ffec 00000001`)).toMatchObject({
      ...PLACE,
      ignition: true,
      gsm: 31,
      temperature: -20,
      attributes: { cell: '310-4-33278-421275', charging: true, externalVoltage: 12.34 },
    });
  });

  it('0x22 with a cell id of four bytes and a probe', () => {
    expect(decode(0x22, `${FIX} 0136 04 81fe 066d9b10 01 00 00 000003e8 00000000 0945 0000`)).toMatchObject({
      ...PLACE,
      ignition: true,
      odometer: 1000,
      temperature: 23.73,
      attributes: { cell: '310-4-33278-107846416' },
    });
  });

  it('0x22 after an IMEI and a second time', () => {
    const content = `01 0352093081452251 1a0304050600 ${FIX} 09 0000000000000000 46 0000 29 4c 0002 0000000001 00`;
    expect(decode(0x22, content)).toMatchObject({
      ...PLACE,
      ignition: true,
      attributes: { batteryVoltage: 4.1, batteryLevel: 76 },
    });
  });

  it.each([
    [0x24, `${FIX} ${TOWER} 01 04ed 01`],
    [0x37, `${FIX} ${TOWER} 00 00 01 002e 04 00002328`],
    [0x10, `${FIX} 0002`],
  ])('0x%s: the position, and nothing else', (type, content) => {
    expect(decode(type, content)).toMatchObject({ ...PLACE, odometer: null, ignition: null });
  });

  it('0x34 after four bytes, 0x61 after an IMEI and before a card', () => {
    expect(decode(0x34, `00000000 ${FIX} 00`)).toMatchObject(PLACE);
    expect(decode(0x61, `0352093081452251 ${FIX} ${TOWER} 0e 000000a1b2c3`)).toMatchObject({
      ...PLACE,
      rfid: 'A1B2C3',
    });
    expect(decode(0x61, `0352093081452251 ${FIX} ${TOWER} 0e 000000000000`)).toMatchObject({ rfid: null });
  });

  it('0x17 with a tower and a card', () => {
    expect(decode(0x17, `${FIX} ${TOWER} 00000000a1b2c3d4 00`)).toMatchObject({ ...PLACE, rfid: '00000000A1B2C3D4' });
    expect(decode(0x17, `${TOWER} 00`)).toMatchObject({ kind: 'status', attributes: { addressRequest: true } });
  });

  it('0x36 with level, volts and a card; 0xA2 with a tower', () => {
    const tail = '01 0000000000 64 05 14 29 000006';
    expect(decode(0x36, `${FIX} 0136 04 81fe 066d9b10 ${tail} 00000000a1b2c3d4`)).toMatchObject({
      ...PLACE,
      ignition: true,
      rfid: '00000000A1B2C3D4',
      attributes: { batteryLevel: 100, batteryVoltage: 4.1 },
    });
    expect(decode(0xa2, `${FIX} 0136 04 000081fe 00000000066d9b10 1141`)).toMatchObject({
      ...PLACE,
      attributes: { cell: '310-4-33278-107846416' },
    });
  });

  it('0x32 under the long start has the length of its fix', () => {
    const fix = 'cb 047e3764 0966d308 30 1c5a';
    expect(decodeLong(0x32, `1a0304050607 0c ${fix} 09 ${TOWER} 24`)).toMatchObject({
      ...PLACE,
      attributes: { cell: '310-4-33278-421275' },
    });
    expect(decodeLong(0x32, `1a0304050607 00 09 ${TOWER} 24`)).toEqual({
      kind: 'status',
      time: TIME,
      event: null,
      attributes: { cell: '310-4-33278-421275' },
    });
    expect(decode(0x32, FIX)).toMatchObject(PLACE);
  });

  it('0x8C with vehicle bus values before the position', () => {
    const text = '3137333d302c 3232333d31';
    expect(decodeLong(0x8c, `1a0304050607 01 ${text} cb 047e3764 0966d308 30 1c5a`)).toMatchObject({
      ...PLACE,
      attributes: { obd: '173=0,223=1' },
    });
  });
});

describe('GT06 alarms and states known from recordings', () => {
  it('an alarm without the length of the tower fields', () => {
    expect(decode(0x16, `${FIX} ${TOWER} 62 04 04 04 00`)).toMatchObject({ ...PLACE, event: 'sos', gsm: 31 });
  });

  it('an alarm with a four-byte cell id, and levels in percent', () => {
    expect(decode(0x16, `${FIX} 09 0136 04 81fe 066d9b10 41 3e 42 01 02`)).toMatchObject({
      event: 'sos',
      gsm: 20,
      attributes: { cell: '310-4-33278-107846416', batteryLevel: 62, armed: true },
    });
  });

  it('an alarm whose status comes after many other bytes', () => {
    expect(decode(0x16, `${FIX} 00 ${'00'.repeat(45)} 7e 06 1b 09 82`)).toMatchObject({
      event: 'towing',
      gsm: 27,
      attributes: { batteryLevel: 100 },
    });
  });

  it('a tower alarm preceded by a time', () => {
    expect(decode(0x19, `1a0304050607 ${TOWER} f5 0c 00 00`)).toEqual({
      kind: 'status',
      time: TIME,
      event: null,
      attributes: { cell: '310-4-33278-421275' },
    });
  });

  it('heartbeats with volts', () => {
    expect(decode(0x13, '02 80 19 00002e42 016f 00000000 3a')).toMatchObject({ attributes: { externalVoltage: 3.67 } });
    expect(decode(0x13, '56 06 04 f0 83')).toMatchObject({ attributes: { externalVoltage: 13.1, batteryLevel: 100 } });
  });

  it('numbered fields after a time, firmware names, probes', () => {
    expect(decodeLong(0xf1, '69a7c0df 0001 01 01 0005 02 0195')).toEqual({
      kind: 'status',
      time: Date.UTC(2026, 2, 4, 5, 19, 27),
      event: null,
      attributes: { field1: '01', externalVoltage: 4.05 },
    });
    expect(decodeLong(0xfd, '0352093081452251 0000 5b56455253494f4e5d4131')).toMatchObject({
      attributes: { imei: '352093081452251', firmware: '[VERSION]A1' },
    });
    expect(decodeLong(0x94, '1e 000000d5 000002ee')).toMatchObject({ attributes: { temperature: 21.3, humidity: 75 } });
    expect(decodeLong(0x94, '0b 02e3')).toMatchObject({ attributes: { externalVoltage: 7.39 } });
  });

  it('pictures and vehicle bus trouble codes have no position', () => {
    expect(decode(0x35, '1a0304050607 05 0000')).toMatchObject({ kind: 'status', attributes: { picture: true } });
    expect(decodeLong(0x66, `1a0304050607 01 313d32 ${'00'.repeat(12)}`)).toMatchObject({ attributes: { obd: '1=2' } });
  });
});
