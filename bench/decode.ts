import {
  gt06,
  gt06Encode,
  type PositionMessage,
  type Session,
  type StreamProtocol,
  teltonika,
  teltonikaEncode,
} from '@milepost/decoders';
import { celsius, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';

/** Records a second that one core decodes: `npm run bench -- decode`. A table, then one JSON object. */

const SECONDS_EACH = 2;
const WARM_UP = 2000;
const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(0) };

const POSITION: PositionMessage = {
  kind: 'position',
  time: epochMs(Date.UTC(2026, 0, 15, 8, 30, 5)),
  valid: true,
  lat: degrees(41.8781),
  lon: degrees(-87.6298),
  speed: fromKilometresPerHour(54),
  course: degrees(271),
  altitude: metres(181),
  satellites: 11,
  hdop: 0.8,
  ignition: true,
  odometer: metres(123_456_789),
  fuel: percent(64),
  temperature: celsius(-4.5),
  gsm: 25,
  event: null,
  rfid: '01000000A1B2C3D4',
  attributes: {
    externalVoltage: 13.84,
    batteryVoltage: 4.02,
    batteryCurrent: 0.05,
    movement: true,
    sleepMode: 0,
    gnssStatus: 1,
    pdop: 1.4,
    operator: 310_410,
    tripOdometer: 12_345,
    input1: false,
    analogInput1: 0.012,
    cell: '310-4-33278-421275',
  },
};

const packet = (records: number): Uint8Array =>
  teltonikaEncode.encodePacket(Array.from({ length: records }, () => POSITION));

const CASES = [
  { name: 'Teltonika 8E, 1 record a packet', frame: packet(1), records: 1, protocol: teltonika },
  { name: 'Teltonika 8E, 20 records a packet', frame: packet(20), records: 20, protocol: teltonika },
  { name: 'GT06 location', frame: gt06Encode.encodeLocation(POSITION, 1), records: 1, protocol: gt06 },
];

export async function run(): Promise<void> {
  const recordsPerSecond: Record<string, number> = {};
  for (const { name, frame, records, protocol } of CASES) {
    const perSecond = measure(protocol, frame);
    recordsPerSecond[name] = perSecond;
    const size = frame.length / records;
    process.stdout.write(`${name.padEnd(36)} ${String(perSecond).padStart(9)} records/s, ${size} bytes each\n`);
  }
  process.stdout.write(`${JSON.stringify({ bench: 'decode', recordsPerSecond })}\n`);
}

function measure(protocol: StreamProtocol, frame: Uint8Array): number {
  for (let i = 0; i < WARM_UP; i++) protocol.decode(frame, SESSION);
  const started = performance.now();
  let decoded = 0;
  let elapsed = 0;
  while (elapsed < SECONDS_EACH * 1000) {
    for (let i = 0; i < 100; i++) {
      const scan = protocol.nextFrame(frame);
      if (scan.status === 'frame') decoded += protocol.decode(frame, SESSION).messages.length;
    }
    elapsed = performance.now() - started;
  }
  return Math.round((decoded * 1000) / elapsed);
}
