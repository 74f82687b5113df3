import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { annotated } from '../testing/annotated.ts';
import { annotatedText } from '../testing/annotated-text.ts';
import { framesOf, join } from '../testing/stream.ts';
import { suntechTcp, suntechUdp } from './decode.ts';
import { explain } from './explain.ts';

/** Models and settings that leave out fields, add others or compress the report. */

const SESSION = { imei: null, receivedAt: epochMs(0) };
const TIME = Date.UTC(2026, 0, 15, 8, 30, 5);
const read = (text: string) =>
  suntechTcp.decode(join([annotatedText(text), Uint8Array.of(0x0d)]), SESSION).messages.slice(1);

const head = (header: string): string => `
  ${header}          | header
  12 34 56 78 90     | device id, nine digits
  28                 | model
  03 13              | firmware
  1a 01 0f 08 1e 05  | 2026-01-15 08:30:05
  00 81 2a           | cell
  29 87 81 13        | 41.878113
  57 62 98 12        | 87.629812
  00 36 50           | 54.50 km/h
  01 0f 25           | course 271.25
  ab                 | fix, north, west, 11 satellites
  00 0f 36 ec        | 997100 m
  0e 10              | 14.10 V
  05                 | ignition and input 2
`;
const zip = (content: string): Uint8Array => {
  const bytes = annotated(content);
  return join([Uint8Array.of(2, bytes.length >> 8, bytes.length & 255), bytes, Uint8Array.of(3)]);
};
const METERS = '00000e10 0412 01 | hour meter, 4.12 V, live';

const ZIPPED = {
  kind: 'position',
  time: TIME,
  valid: true,
  lat: 41.878113,
  lon: -87.629812,
  course: 271.25,
  satellites: 11,
  ignition: true,
  odometer: 997_100,
  attributes: { firmware: '313', externalVoltage: 14.1, input1: false, input2: true, input3: false },
};

/** With an id of six digits, a model and a firmware; each can be read with an id of ten digits, too. */
const EITHER = [
  '13 205174 28 0010 1c0517032804 000000 05653590 66027870 002600 003400 ca 17b682c1 0e10 05',
  '10 205174 28 0010 1c0611021c09 000000 49691940 97827070 001000 007000 e6 022b3b9d 0e10 00',
  '10 205174 28 0010 201222122704 000000 34401570 39437100 007200 001200 6b 0603ba72 0e10 05',
  '13 205174 28 0010 14031e040a0d 000000 20220350 51620430 009500 009700 ea 22b77dd9 0e10 05',
];

describe('zip of the older protocols', () => {
  it.each(EITHER)('[R4.03] %s has the id after which the time is that of the arrival', content => {
    const clock = content.replaceAll(' ', '').slice(14, 26);
    const parts = [0, 2, 4, 6, 8, 10].map(at =>
      Number.parseInt(clock.slice(at, at + 2), clock.startsWith('2') ? 10 : 16),
    );
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
    const time = Date.UTC(2000 + year, month - 1, day, hour, minute, second);
    // Stored for four weeks.
    const arrival = { imei: null, receivedAt: epochMs(time + 28 * 86_400_000) };
    const { messages } = suntechTcp.decode(zip(`${content} |`), arrival);
    expect(messages).toMatchObject([{ imei: '205174' }, { kind: 'position', time }]);
  });

  it.each([
    ['status', `${head('10')} 02 06e5 | mode, number\n ${METERS}`, { event: null }],
    ['emergency', `${head('11')} 01 | panic button\n ${METERS}`, { event: 'sos' }],
    ['event', `${head('12')} 03 |\n ${METERS}`, { event: null }],
    ['alert', `${head('13')} 2a | panic button\n ${METERS}`, { event: 'sos' }],
    ['data of a device', `${head('16')} 0005 4e5f303d31 5a |\n ${METERS}`, { event: null }],
  ])('%s', (_, content, expected) => {
    const frame = zip(content);
    expect(framesOf(suntechTcp, join([frame, frame]), 5)).toEqual({ frames: [frame, frame], garbage: 0 });
    const [who, message] = suntechTcp.decode(frame, SESSION).messages;
    expect(who).toEqual({ kind: 'login', imei: '123456789' });
    expect(message).toMatchObject({ ...ZIPPED, ...expected });
    expect(message).toMatchObject({ attributes: { engineHours: 216_000, batteryVoltage: 4.12 } });
    expect(message?.kind === 'position' && message.speed).toBeCloseTo(54.5 / 3.6, 9);
    const parts = explain(frame);
    expect(parts.at(-1)?.to).toBe(frame.length);
    expect(parts.map(({ name }) => name)).not.toContain('not explained');
  });

  it('without the hour meter, and with the time in packed decimals', () => {
    const bare = zip(`${head('13')} 21 |`);
    expect(suntechTcp.decode(bare, SESSION).messages[1]).toMatchObject({ ...ZIPPED, event: 'ignitionOn' });
    const packed = zip(`${head('13').replace('1a 01 0f 08 1e 05', '26 10 15 08 30 05')} 21 |`);
    expect(suntechTcp.decode(packed, SESSION).messages[1]).toMatchObject({ time: Date.UTC(2026, 9, 15, 8, 30, 5) });
  });

  it('[R4.03] with an id of six digits, which has no model number behind it', () => {
    const short = head('10').replace('12 34 56 78 90', '85 00 01').replace('28 ', '   ');
    const frame = zip(`${short} 02 06e5 |\n ${METERS}`);
    const [who, message] = suntechTcp.decode(frame, SESSION).messages;
    expect(who).toEqual({ kind: 'login', imei: '850001' });
    expect(message).toMatchObject(ZIPPED);
    expect(explain(frame).map(({ name }) => name)).not.toContain('not explained');
    expect([...(suntechUdp.decodeDatagram(frame, SESSION.receivedAt).acknowledgement ?? [])]).toEqual([
      0x15, 0x85, 0, 1,
    ]);
    const alive = zip('14 850001 |');
    expect(suntechTcp.nextFrame(alive)).toEqual({ status: 'frame', end: alive.length });
    expect(suntechTcp.decode(alive, SESSION).messages).toMatchObject([{ imei: '850001' }, { kind: 'heartbeat' }]);
  });

  it('[R4.03] with an id of ten digits', () => {
    const frame = zip(`${head('10').replace('78 90', '78 91')} 02 06e5 |`);
    expect(suntechTcp.decode(frame, SESSION).messages[0]).toEqual({ kind: 'login', imei: '1234567891' });
  });

  it('answers an emergency report, and recognizes a heartbeat', () => {
    const { acknowledgement } = suntechTcp.decode(zip(`${head('11')} 01 |`), SESSION);
    expect(String.fromCharCode(...(acknowledgement ?? []))).toBe('ST300CMD;123456789;02;AckEmerg\r');
    const alive = suntechTcp.decode(zip('14 12 34 56 78 90 |'), SESSION).messages;
    expect(alive[1]).toEqual({ kind: 'heartbeat', attributes: {} });
  });

  it('is not a frame if it ends in the wrong place', () => {
    const frame = zip(`${head('10')} 02 06e5 |`);
    expect(suntechTcp.nextFrame(frame.with(-1, 4))).toEqual({ status: 'garbage', end: 1 });
  });
});

describe('universal protocol', () => {
  it('with a report map that leaves fields out', () => {
    const [message] = read(`
      ALT;0560001616;
      0B987E;      | report map: no network, speed, course, outputs, modifier, data
      56;1.0.15;1;20260115;08:30:05;
      000AB1C2;    | cell
      +41.878113;-87.629812;
      11;1;        | satellites, fix
      00000101;    | inputs
      33           | alert
    `);
    expect(message).toMatchObject({
      time: TIME,
      lat: 41.878113,
      speed: null,
      course: null,
      satellites: 11,
      valid: true,
      ignition: true,
      event: 'ignitionOn',
    });
  });

  it('[R4.03] as zip whose map leaves out the fix is valid, as in text', () => {
    // Date, time, latitude and longitude.
    const frame = annotated(`
      81 0016          | status, 22 bytes follow
      0560001616       | device id
      001830           | report map
      1a010f 081e05    | 2026-01-15 08:30:05
      027f0261         | latitude
      85391ff4         | longitude
    `);
    const [, message] = suntechTcp.decode(frame, SESSION).messages;
    expect(message).toMatchObject({ kind: 'position', time: TIME, valid: true, lat: 41.878113, lon: -87.629812 });
  });

  it('is a status without the position', () => {
    const text =
      'ALT;0560001616;3FE7FF;56;1.0.15;1;20260115;08:30:05;00066D5A;310;410;81FE;27;0.00;0.00;0;0;00000001;00000000;41;;';
    expect(read(text)).toMatchObject([
      { kind: 'status', time: TIME, event: 'powerCut', attributes: { ignition: true, cell: '310-410-33278-421210' } },
    ]);
  });
});

const TAIL = '20260115;08:30:05;c99e48;+41.878113;-087.629812;054.000;271.25;11;1;997100;14.10;100000';

describe('older protocols', () => {
  it.each(['ST3330', 'ST340', 'SA200', 'ST4300'])('of %s', series => {
    expect(read(`${series}STT;205174410;313;${TAIL};2;0042;000060;4.1;1`)).toMatchObject([
      { kind: 'position', time: TIME, odometer: 997_100, ignition: true },
    ]);
  });

  it('[R4.03] of ST300F have two fuel sensors', () => {
    expect(read(`ST300EVT;600850805;14;453;${TAIL};1;000320;4.0;1;0.00;0238;0336`)).toMatchObject([
      { attributes: { analogInput1: 0, fuelSensor1: 238, fuelSensor2: 336 } },
    ]);
  });

  it('report firmware and tower', () => {
    expect(read(`ST300STT;007878646;40;319H;${TAIL};1;1306;069596;4.1;1;23675;724;5;-75;1351;1`)).toMatchObject([
      { gsm: 19, attributes: { firmware: '319H', cell: '724-5-1351-23675' } },
    ]);
  });

  it('have eight lines in ST300V', () => {
    const lines = { input3: false, input4: true, output1: false, output2: true, output3: true };
    expect(read(`ST300STT;205174410;40;313;${TAIL.replace(/100000$/, '11001011')};2;0042`)).toMatchObject([
      { ignition: true, attributes: { input1: true, input2: false, ...lines } },
    ]);
  });

  it('of an unknown type still give their position', () => {
    expect(read(`ST300XYZ;205174410;40;313;${TAIL}`)).toMatchObject([{ kind: 'position', lat: 41.878113 }]);
    expect(read('ST300XYZ;205174410;40;313;something;else')).toMatchObject([
      { kind: 'status', attributes: { report: 'ST300XYZ;205174410;40;313;something;else' } },
    ]);
  });

  it('[R4.03] name the driver of an alert before the meters', () => {
    expect(read(`ST600ALT;008594432;20;492;${TAIL};59;01E04D44160000;000060;4.2;1`)).toMatchObject([
      { event: 'driverIdentified', rfid: '01E04D44160000', attributes: { engineHours: 3600, batteryVoltage: 4.2 } },
    ]);
  });

  it('[R4.03] without a model number have their firmware before the date', () => {
    expect(read(`ST3310STT;850000;010;${TAIL};2;0002`)).toMatchObject([{ attributes: { firmware: '010' } }]);
  });

  it('[R4.03] answers of ST910 have their id at the end', () => {
    expect(read('ST910;RES;ReqMcuVer;M01.8;456789')).toEqual([
      { kind: 'reply', text: 'ReqMcuVer;M01.8', reference: null },
    ]);
    expect(read('ST910; RES;SetGpsOnPercent;123456789')).toMatchObject([{ kind: 'reply', text: 'SetGpsOnPercent' }]);
  });

  it('answers to any command are replies', () => {
    expect(read('ST300NTW;Res;205174410;010;0;apn.example')).toEqual([
      { kind: 'reply', text: '010;0;apn.example', reference: null },
    ]);
  });
});

describe('battery trackers', () => {
  const towers = '24153;724;4;-65;365;0;24161;724;4;366;0;0;0;0;0;0;0;0';

  it('ST410 with towers and a position', () => {
    expect(
      read(
        `ST410STT;007638094;426;01;${towers};3.98;1;0176;2;016;20260115;08:30:05;+41.878113;-087.629812;0.8;238.28;6;1;201`,
      ),
    ).toMatchObject([
      {
        kind: 'position',
        time: TIME,
        satellites: 6,
        gsm: 24,
        attributes: {
          firmware: '426',
          batteryVoltage: 3.98,
          cell: '724-4-365-24153',
          cells: '724-4-365-24153:-65 724-4-366-24161',
        },
      },
    ]);
  });

  it('ST410 without a fix is a status with its towers', () => {
    expect(read(`ST410STT;007638094;426;01;${towers};3.98;0;0176;2;20260115;08:30:05;`)).toMatchObject([
      { kind: 'status', time: TIME, attributes: { cells: '724-4-365-24153:-65 724-4-366-24161', replayed: true } },
    ]);
  });

  it.each([
    [
      'ST910;Emergency;205283272;500;20260115;08:30:05;+41.878113;-087.629812;0.6;0.00;1;4.2;1;1;02;10820;2fdb090736;724;05;0;2311;255;0;100',
      {
        event: 'sos',
        odometer: 10_820,
        attributes: { firmware: '500', batteryVoltage: 4.2, cell: '724-5-2311-12251' },
      },
    ],
    [
      'ST940;Location;560266;500;20260115;08:30:05;af910be101;+41.878113;-087.629812;0.08;0.00;1;10054889;70;1;1;1311;02;724;06;-317;3041;2;10;92',
      { event: null, odometer: 10_054_889, attributes: { batteryLevel: 70, cell: '724-6-3041-44945' } },
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toMatchObject([{ kind: 'position', time: TIME, valid: true, ...expected }]);
  });

  it('ST910 without a fix, and its heartbeat', () => {
    expect(read('ST910;Location;560266;500;20260115;08:30:05;;;;;0;4.1')).toMatchObject([
      { kind: 'status', time: TIME },
    ]);
    expect(read('ST910;Alive;456789')).toEqual([{ kind: 'heartbeat', attributes: {} }]);
  });
});

describe('Suntech: a trip that ended', () => {
  const REPORT = 'ST300HTE;100850000;01;010;20260115;08:30:05';
  const TRIP =
    '167559;12.28;004005;3.9;0;5200;12;3;9;+41.800000;-087.600000;+41.878113;-087.629812;026.000;061.200;0;0;3;0;0;0';

  it('[R4.03] is where it ended, with its figures', () => {
    expect(read(`${REPORT};${TRIP};01E04D44160000`)).toMatchObject([
      {
        kind: 'position',
        time: TIME,
        valid: true,
        lat: 41.878113,
        lon: -87.629812,
        speed: null,
        odometer: 167_559,
        event: 'tripStop',
        rfid: '01E04D44160000',
        attributes: {
          externalVoltage: 12.28,
          engineHours: 240_300,
          batteryVoltage: 3.9,
          replayed: true,
          tripDistance: 5200,
          tripTime: 720,
          tripIdleTime: 180,
          tripMovingTime: 540,
          tripMaximumSpeed: 17,
        },
      },
    ]);
    expect(read(`${REPORT};${TRIP};00000000000000`)).toMatchObject([{ rfid: null }]);
  });

  it('has only the values that the report has', () => {
    expect(read(`${REPORT};1000;12.50;001354`)).toMatchObject([
      { kind: 'status', attributes: { odometer: 1000, externalVoltage: 12.5 } },
    ]);
    expect(read(`${REPORT};;`)).toEqual([{ kind: 'status', time: TIME, event: 'tripStop', attributes: {} }]);
    expect(read(`${REPORT};${TRIP.replaceAll(/[+-]\d+\.\d+/g, '+00.000000')};01E04D44160000`)).toMatchObject([
      { kind: 'status', attributes: { rfid: '01E04D44160000', tripDistance: 5200 } },
    ]);
  });

  it('[R4.03] as zip has no place that could be mistaken for one', () => {
    const frame = zip('1b 1234567890 28 0313 1a010f081e05 00028e87 0c28 00000fa5 0000 01 00001450 000c 0003 0009 |');
    expect(suntechTcp.decode(frame, SESSION).messages).toMatchObject([
      { imei: '123456789' },
      { kind: 'status', time: TIME },
    ]);
  });
});

describe('Suntech: what else a document says', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const PLACE = '20260115;08:30:05;00129;+41.878113;-087.629812;000.029;000.00;7;1;997100;14.10;100000';
  const FIX = { kind: 'position', time: TIME, lat: 41.878113, lon: -87.629812, ignition: true };
  const answered = (frame: Uint8Array) => {
    const { acknowledgement } = suntechUdp.decodeDatagram(frame, SESSION.receivedAt);
    return acknowledgement && Buffer.from(acknowledgement).toString('latin1');
  };

  it.each([
    ['ST300STT', 'ST300ACK;100850000\r'],
    ['SA200ALT', 'SA200ACK;100850000\r'],
    ['ST600EVT', 'ST600ACK;100850000\r'],
    ['ST3310UEX', 'ST3310ACK;100850000\r'],
    ['ST300EMG', 'ST300CMD;100850000;02;AckEmerg\rST300ACK;100850000\r'],
  ])('acknowledges %s over UDP', (header, expected) => {
    expect(answered(bytes(`${header};100850000;01;010;${PLACE};1;0002`))).toBe(expected);
  });

  it('acknowledges the zip form in kind, and neither signs of life nor answers', () => {
    expect(answered(zip(`${head('10')} 01 | mode\n 0002 | number\n ${METERS}`))).toBe('\x15\x12\x34\x56\x78\x90');
    expect(answered(bytes('ST300ALV;100850000'))).toBeNull();
    expect(answered(bytes('ST300CMD;Res;100850000;010;Reset'))).toBeNull();
    expect(answered(bytes(`ST300GED;Res;100850000;292;${PLACE}`))).toBeNull();
    expect(suntechTcp.decode(bytes(`ST300STT;100850000;01;010;${PLACE};1;0002\r`), SESSION).acknowledgement).toBeNull();
  });

  it('reads the position in an answer', () => {
    const answer = `ST300GED;Res;100850000;292;${PLACE};0;0.00;0.00;0.00;0;0;0.00;0;00000000;0.00;0.00\r`;
    const { messages } = suntechTcp.decode(bytes(answer), SESSION);
    expect(messages).toMatchObject([{ kind: 'login' }, { kind: 'reply' }, { ...FIX, event: null, odometer: 997_100 }]);
  });

  it('takes a number in an unknown report for no alert', () => {
    const { messages } = suntechTcp.decode(bytes(`ST300DEX;100850000;01;010;${PLACE};1;0002\r`), SESSION);
    expect(messages[1]).toMatchObject({ ...FIX, event: null });
    const [, st910] = suntechTcp.decode(bytes(`ST910;toString;123456;500;${PLACE}\r`), SESSION).messages;
    expect(st910).toMatchObject({ kind: 'position', event: null });
  });
});

describe('[R4.03] reports without a fix', () => {
  const REPORT =
    'STT;0560001616;3FFFFF;56;1.0.15;1;20260304;05:06:07;00008D6C;310;260;0925;24;+41.878113;-087.629812;0.00;0.00;9;1;00000001;00000000;2;1;1765';
  const of = (text: string) =>
    suntechTcp.decode(join([new TextEncoder().encode(text), Uint8Array.of(0x0d)]), SESSION).messages.slice(1);
  const CELL = { cell: '310-260-2341-36204', firmware: '1.0.15' };
  const VALUES = { ...CELL, ignition: true, gsm: 14, satellites: 9 };

  it.each([
    ['without coordinates', '+41.878113;-087.629812', ';', 'fix', VALUES],
    ['with a date that no calendar has', '20260304', '20269904', 'time', VALUES],
  ])('%s are a status with its reason', (_, sent, instead, noFix, values) => {
    expect(of(REPORT.replace(sent, instead))).toMatchObject([{ kind: 'status', attributes: { noFix, ...values } }]);
  });

  it('of older models keep what they sent', () => {
    const text = 'ST300STT;007238270;40;313;00000000;00:00:00;c99e48;+41.878113;-087.629812;000.000;000.00;9;1;0;12.1';
    expect(of(text)).toMatchObject([{ kind: 'status', attributes: { noFix: 'time', report: text } }]);
  });

  it('more digits than documented are a fix', () => {
    const [message] = of(REPORT.replace('+41.878113', '+41.878113000001'));
    expect(message).toMatchObject({ kind: 'position', lat: 41.878113000001, attributes: CELL });
  });

  it('a report with two dates and two places has the first of each, and nothing else is made of them', () => {
    const text = 'TRV;0560001616;3FFFFF;56;20260304;05:06:07;20260304;05:16:07;+41.878113;-087.629812;+41.9;-87.7';
    expect(of(text)).toMatchObject([{ kind: 'position', lat: 41.878113, time: Date.UTC(2026, 2, 4, 5, 6, 7) }]);
    const [twice] = of(text.replace('+41.9;-87.7', '+41.978113;-087.729812;9;1'));
    expect(twice).toMatchObject({ kind: 'position', speed: null, course: null, satellites: null, attributes: {} });
    expect(twice).toHaveProperty('attributes', {});
  });

  it.each([
    ['without coordinates', '', '1a0304', '0387f0', 'fix', Date.UTC(2026, 2, 4, 5, 6, 7)],
    ['with a date that no calendar has', '027f0261 8538f45c', '1a6304', '039ff0', 'time', null],
  ])('zip %s is one too', (_, place, date, map, noFix, time) => {
    const fields = `${date} 050607 00066d5a 0136 019a 81fe 1b ${place} 09 00 01`;
    const content = annotated(`0560001616 ${map} ${fields} |`);
    const frame = join([Uint8Array.of(0x81, 0, content.length), content]);
    const attributes = { noFix, ignition: true, gsm: 15, satellites: 9, cell: '310-410-33278-421210' };
    expect(suntechTcp.decode(frame, SESSION).messages[1]).toMatchObject({ kind: 'status', time, attributes });
  });

  it('an answer with a report in it is read, too', () => {
    const text = REPORT.replace('STT;0560001616;3FFFFF', 'RES;0560001616;03;01');
    expect(of(text)).toMatchObject([{ kind: 'reply' }, { kind: 'position', lat: 41.878113, attributes: CELL }]);
  });
});
