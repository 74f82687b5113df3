import { celsius, degrees, type EpochMs, epochMs, fromKilometresPerHour, metres, percent } from '@milepost/units';
import { hex } from './bytes.ts';
import { PROTOCOL_NAMES, type ProtocolName, protocols } from './index.ts';
import { encodeQuery } from './osmand/encode.ts';
import { positionOf } from './position.ts';
import type { PositionMessage } from './protocol.ts';
import type { TrackerSide } from './registration.ts';

/**
 * Recordings made by our own encoders, `samples/<protocol>.jsonl`: the same short drive in every protocol, with the
 * tracker's other messages. `npm run simulate -- replay FILE` plays one; a test checks that file and encoder agree.
 */
export interface Sample {
  readonly protocol: ProtocolName;
  /** The tracker's own ID. */
  readonly imei: string;
  readonly over: 'tcp' | 'udp' | 'http';
  readonly frames: readonly SampleFrame[];
}

/** A text frame with its line end, otherwise hexadecimal. `atMs` counts from the first frame. */
export interface SampleFrame {
  readonly atMs: number;
  readonly text?: string;
  readonly hex?: string;
}

const SAMPLE_IMEI = '352093081452251';
const BEGIN = Date.UTC(2026, 0, 15, 8, 30);
const STEP_S = 10;
const STEPS = 18;
/** East along Chicago's Madison Street. */
const WEST = -87.66;
const LAT = 41.88135;
const DEGREES_PER_METRE = 1 / (111_320 * Math.cos((LAT * Math.PI) / 180));

const EVENTS: Readonly<Record<number, string>> = { 0: 'ignitionOn', 8: 'harshBraking', 12: 'sos', 17: 'ignitionOff' };

/** Standing, up to 50 km/h, hard braking, driving on, and standing again. */
function speedAt(step: number): number {
  if (step === 0 || step >= STEPS - 2) return 0;
  return step < 8 ? Math.min(50, step * 15) : step === 8 ? 12 : 36;
}

export function sampleDrive(): PositionMessage[] {
  let driven = 0;
  return Array.from({ length: STEPS }, (_, step) => {
    const speed = fromKilometresPerHour(speedAt(step));
    driven += speed * STEP_S;
    return positionOf({
      time: epochMs(BEGIN + step * STEP_S * 1000),
      valid: true,
      lat: degrees(LAT),
      lon: degrees(Number((WEST + driven * DEGREES_PER_METRE).toFixed(6))),
      speed,
      course: degrees(90),
      altitude: metres(181),
      satellites: 11,
      hdop: 1,
      ignition: step < STEPS - 1,
      odometer: metres(120_000_000 + Math.round(driven)),
      fuel: percent(64),
      temperature: celsius(4),
      gsm: 25,
      event: EVENTS[step] ?? null,
      attributes: { externalVoltage: 13.8, batteryVoltage: 4.1 },
    });
  });
}

export const SAMPLE_NAMES = PROTOCOL_NAMES;

export function sampleOf(protocol: ProtocolName): Sample {
  const { tracker, datagramTracker } = protocols[protocol];
  const side = tracker ?? datagramTracker;
  const over = tracker ? 'tcp' : datagramTracker ? 'udp' : 'http';
  return { protocol, imei: SAMPLE_IMEI, over, frames: side ? framesOf(side) : queries() };
}

function framesOf(tracker: TrackerSide): SampleFrame[] {
  const frames: SampleFrame[] = [];
  const add = (time: EpochMs, bytes: Uint8Array | null): void => {
    if (bytes) frames.push({ atMs: time - BEGIN, ...written(bytes) });
  };
  const drive = sampleDrive();
  const [first] = drive;
  if (first) add(first.time, tracker.greeting(SAMPLE_IMEI));
  let serial = 1;
  for (const position of drive) {
    for (const bytes of tracker.reports(SAMPLE_IMEI, [position], serial++)) add(position.time, bytes);
  }
  const last = drive.at(-1);
  if (last) add(epochMs(last.time + STEP_S * 1000), tracker.heartbeat(SAMPLE_IMEI, serial));
  return frames;
}

const queries = (): SampleFrame[] =>
  sampleDrive().map(position => ({ atMs: position.time - BEGIN, text: encodeQuery(SAMPLE_IMEI, position) }));

function written(bytes: Uint8Array): { text: string } | { hex: string } {
  const isText = bytes.every(byte => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  return isText ? { text: String.fromCharCode(...bytes) } : { hex: hex(bytes).toLowerCase() };
}

/** A header line, then one frame per line. */
export const sampleText = ({ frames, ...about }: Sample): string =>
  `${[about, ...frames].map(line => JSON.stringify(line)).join('\n')}\n`;
