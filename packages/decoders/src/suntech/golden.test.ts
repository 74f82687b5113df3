import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../position.ts';
import { annotated } from '../testing/annotated.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { framesOf, join } from '../testing/stream.ts';
import { suntechTcp, suntechUdp } from './decode.ts';

const ID = '0560001616';
const SESSION = { imei: null, receivedAt: epochMs(0) };
const CR = Uint8Array.of(0x0d);
const frame = (text: string): Uint8Array => join([annotatedText(text), CR]);
const read = (text: string) => suntechTcp.decode(frame(text), SESSION).messages;
const words = (bytes: Uint8Array | null): string | null => bytes && String.fromCharCode(...bytes);

const POSITION = positionOf({
  time: epochMs(Date.UTC(2026, 0, 15, 8, 30, 5)),
  valid: true,
  lat: 41.878113 as never,
  lon: -87.629812 as never,
  speed: 15 as never,
  course: 271.25 as never,
  satellites: 11,
  gsm: 15,
  ignition: true,
  attributes: {
    cell: '310-410-33278-421210',
    firmware: '1.0.15',
    input1: false,
    input2: true,
    input3: false,
    output1: true,
    output2: false,
    output3: false,
    batteryVoltage: 4.1,
    externalVoltage: 12.14,
    assign15: 136_598,
  },
});

const STATUS = `
STT;        | status report
0560001616; | device id
BFFFFF;     | report map: all but the reserved field, with an assign map
56;         | model
1.0.15;     | firmware
1;          | sent at once
20260115;   | date
08:30:05;   | time
00066D5A;   | cell
310;        | MCC
410;        | MNC
81FE;       | LAC
27;         | level, dBm above -110
+41.878113; | latitude
-87.629812; | longitude
54.00;      | km/h
271.25;     | course
11;         | satellites
1;          | fix
00000101;   | inputs: ignition and input 2
00000001;   | outputs: output 1
2;          | mode
1;          | kind of report
1765;       | number
00008003;   | assign map: bits 0, 1 and 15
4.1;        | backup battery
12.14;      | main power
136598      | no name here
`;

describe('universal protocol', () => {
  it('status', () => {
    expect(suntechTcp.decode(frame(STATUS), SESSION)).toEqual({
      messages: [{ kind: 'login', imei: ID }, POSITION],
      acknowledgement: null,
      refusal: null,
    });
    expect(suntechUdp.decodeDatagram(frame(STATUS), epochMs(0)).messages).toHaveLength(2);
  });

  it('alert: one of our event names, or `alarm` with its number', () => {
    const alert = (id: number) => STATUS.replace('STT;', 'ALT;').replace(/2; .*\n1; .*\n1765; /, `${id};\n;\nAABB; `);
    expect(read(alert(46))[1]).toMatchObject({ event: 'harshAcceleration', attributes: { alarmData: 'AABB' } });
    expect(read(alert(59))[1]).toMatchObject({ event: 'driverIdentified', rfid: 'AABB' });
    expect(read(alert(199))[1]).toMatchObject({ event: 'alarm', attributes: { alarmCode: 199 } });
  });

  it('keep-alive and answers to commands', () => {
    expect(read(`ALV;${ID}`)).toEqual([
      { kind: 'login', imei: ID },
      { kind: 'heartbeat', attributes: {} },
    ]);
    expect(read(`RES;${ID};04;02;TEST`)[1]).toEqual({ kind: 'reply', text: '04;02;TEST', reference: null });
    expect(words(suntechTcp.encodeCommand('03;01', 1, ID))).toBe(`CMD;${ID};03;01\r`);
  });

  it('bytes of a serial device, including CR and semicolons', () => {
    const data = 'N_0=0419.0;\rN_1=0001.0;';
    const report = frame(`
      UEX;${ID};03FFFFFF;56;1.0.15;0;20260115;08:30:05;00066D5A;310;410;81FE;27;
      +41.878113;-87.629812;0.00;0.00;11;1;00000001;00000000;${data.length};DATA;A7;;164;0;11.82
    `);
    const bytes = Uint8Array.from(String.fromCharCode(...report).replace('DATA', data), c => c.charCodeAt(0));
    expect(framesOf(suntechTcp, join([bytes, bytes]), 7)).toEqual({ frames: [bytes, bytes], garbage: 0 });
    expect(suntechTcp.decode(bytes, SESSION).messages[1]).toMatchObject({
      kind: 'position',
      attributes: { fuelSensor1: 0x419, fuelSensor2: 1, replayed: true },
    });
  });

  it('[R4.03] bytes of a serial device with a wrong number, without which the report must not be lost', () => {
    const report = (length: number) =>
      frame(`
        UEX;${ID};03FFFFFF;56;1.0.15;0;20260115;08:30:05;00066D5A;310;410;81FE;27;
        +41.878113;-87.629812;0.00;0.00;11;1;00000001;00000000;${length};N_0=0419.0;A7;;164;0;11.82
      `);
    const [behind] = framesOf(suntechTcp, report(10), 7).frames;
    for (const length of [3, 12, 200]) {
      const bytes = report(length);
      const { frames } = framesOf(suntechTcp, join([bytes, behind!, behind!]), 7);
      expect(frames).toEqual([bytes, behind, behind]);
      expect(suntechTcp.decode(bytes, SESSION).messages[1]).toMatchObject({ kind: 'position', lat: 41.878113 });
    }
  });
});

const ZIP = annotated(`
  81               | status report
  0032             | 50 bytes follow
  0560001616       | device id
  3fffff           | report map: all 22 fields
  38               | model 56
  01000f           | firmware
  01               | sent at once
  1a010f           | 2026-01-15
  081e05           | 08:30:05
  00066d5a         | cell
  0136             | MCC 310
  019a             | MNC 410
  81fe             | LAC
  1b               | level 27
  027f0261         | latitude 41.878113
  85391ff4         | longitude, the highest bit is west
  1518             | 54.00 km/h
  69f5             | course 271.25
  0b               | satellites
  01               | fix
  05               | inputs: ignition and input 2
  01               | outputs
  02 01 06e5       | mode, kind, number
`);

describe('zip', () => {
  it('is the same report', () => {
    expect(suntechTcp.nextFrame(ZIP)).toEqual({ status: 'frame', end: ZIP.length });
    const { input1, input2, input3, cell } = POSITION.attributes;
    const firmware = '1.0.15';
    expect(suntechTcp.decode(ZIP, SESSION).messages).toEqual([
      { kind: 'login', imei: ID },
      { ...POSITION, attributes: { cell, firmware, input1, input2, input3 } },
    ]);
  });
});

const OLDER = `
ST300EMG;   | emergency report
205174410;  | device id
40;         | model
313;        | firmware
20260115;   | date
08:30:05;   | time
c99e48;     | cell
+41.878113; | latitude
-087.629812; | longitude
054.000;    | km/h
271.25;     | course
11;         | satellites
1;          | fix
997100;     | distance, metres
14.10;      | main power
100000;     | ignition, inputs, outputs
1;          | panic button
000060;     | hour meter, minutes
4.1;        | backup battery
1           | sent at once
`;

describe('older protocols', () => {
  it('an emergency report is answered, so that it is not repeated', () => {
    const { messages, acknowledgement } = suntechTcp.decode(frame(OLDER), SESSION);
    expect(messages).toMatchObject([
      { kind: 'login', imei: '205174410' },
      {
        event: 'sos',
        ignition: true,
        odometer: 997_100,
        lat: 41.878113,
        lon: -87.629812,
        attributes: { externalVoltage: 14.1, batteryVoltage: 4.1, engineHours: 3600, input1: false, output2: false },
      },
    ]);
    expect(words(acknowledgement)).toBe('ST300CMD;205174410;02;AckEmerg\r');
  });

  it('commands contain the model', () => {
    expect(words(suntechTcp.encodeCommand('ST300:Enable1', 1, '205174410'))).toBe('ST300CMD;205174410;02;Enable1\r');
  });

  it.each(['-Error', 'STT;x', 'STT;0560001616;BFFFFF', 'HELLO;0560001616'])('%s is refused', text => {
    expect(read(text)).toMatchObject([{ kind: 'error' }]);
  });
});
