import {
  osmand,
  osmandEncode,
  type PositionMessage,
  PROTOCOL_NAMES,
  type ProtocolName,
  protocols,
  type Session,
  teltonika,
  teltonikaEncode,
} from '@milepost/decoders';
import { celsius, degrees, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';

/**
 * Frames per second that one core finds, verifies and decodes, for each protocol's report of the same position,
 * compared with `JSON.parse` of that position: `npm run bench -- decode`. A table, then one JSON object.
 */

const MS_EACH = 200;
const A_TURN = 2000;
const WARM_UP = 5000;
const IMEI = '352093081452251';
const SESSION: Session = { imei: IMEI, receivedAt: epochMs(0) };

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

interface Case {
  readonly name: string;
  readonly bytes: number;
  /** Decodes once and returns the number of records. */
  readonly once: () => number;
}

function caseOf(name: ProtocolName): Case {
  const { stream, tracker, datagram, datagramTracker } = protocols[name];
  if (stream && tracker) {
    const [frame = new Uint8Array(0)] = tracker.reports(IMEI, [POSITION], 1);
    const once = (): number => {
      stream.nextFrame(frame);
      return stream.decode(frame, SESSION).messages.length > 0 ? 1 : 0;
    };
    return { name, bytes: frame.length, once };
  }
  if (datagram && datagramTracker) {
    const [frame = new Uint8Array(0)] = datagramTracker.reports(IMEI, [POSITION], 1);
    return {
      name,
      bytes: frame.length,
      once: () => Number(datagram.decodeDatagram(frame, SESSION.receivedAt).messages.length > 0),
    };
  }
  const request = { method: 'GET', query: osmandEncode.encodeQuery(IMEI, POSITION), contentType: null, body: '' };
  return {
    name,
    bytes: request.query.length,
    once: () => Number(osmand.decodeRequest(request, SESSION.receivedAt).length > 0),
  };
}

const MANY = 20;

function manyRecords(): Case {
  const frame = teltonikaEncode.encodePacket(Array.from({ length: MANY }, () => POSITION));
  const once = (): number => {
    teltonika.nextFrame(frame);
    return teltonika.decode(frame, SESSION).messages.length;
  };
  return { name: `teltonika, ${MANY} records a packet`, bytes: frame.length / MANY, once };
}

function yardstick(): Case {
  const text = JSON.stringify(POSITION);
  return { name: 'JSON.parse', bytes: text.length, once: () => Number((JSON.parse(text) as object) !== null) };
}

export async function run(): Promise<void> {
  const recordsPerSecond: Record<string, number> = {};
  const json = yardstick();
  const rates: number[] = [];
  for (const each of [...PROTOCOL_NAMES.map(caseOf), manyRecords()]) {
    const [own, yard] = measure(each, json);
    recordsPerSecond[each.name] = own;
    rates.push(yard);
    const share = `${(own / yard).toFixed(2)} of JSON.parse`;
    const rate = `${String(own).padStart(9)} records/s`;
    process.stdout.write(
      `${each.name.padEnd(32)} ${rate}  ${share.padStart(18)}  ${Math.round(each.bytes)} bytes each\n`,
    );
  }
  const mean = Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length);
  process.stdout.write(`JSON.parse of ${json.bytes} bytes, beside each: ${mean} records/s\n`);
  process.stdout.write(`${JSON.stringify({ bench: 'decode', recordsPerSecond, jsonParsePerSecond: mean })}\n`);
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Records per second of processor time, for the case and the reference in turns, so that other load affects both alike.
 */
function measure(own: Case, yard: Case): [number, number] {
  const turns = [own, yard].map(each => ({ each, decoded: 0, ms: 0 }));
  for (const { each } of turns) for (let i = 0; i < WARM_UP; i++) each.once();
  while (turns.some(({ ms }) => ms < MS_EACH)) {
    for (const turn of turns) {
      const started = processorMs();
      for (let i = 0; i < A_TURN; i++) turn.decoded += turn.each.once();
      turn.ms += processorMs() - started;
    }
  }
  const [first = 0, second = 0] = turns.map(({ decoded, ms }) => Math.round((decoded * 1000) / ms));
  return [first, second];
}
