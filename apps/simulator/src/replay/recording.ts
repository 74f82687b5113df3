import { TRACKERS, type TrackerProtocol } from '@milepost/contract';

/** A recording as in `samples/`, JSON Lines: a header, then the tracker's frames with their times. */
export interface Recording {
  readonly protocol: TrackerProtocol;
  readonly imei: string;
  readonly over: 'tcp' | 'udp' | 'http';
  readonly frames: readonly RecordedFrame[];
}

export interface RecordedFrame {
  /** Milliseconds since the first frame. */
  readonly atMs: number;
  readonly bytes: Buffer;
}

/** Parses a file's text; throws an error with a message for the user. */
export function readRecording(text: string): Recording {
  const [about, ...frames] = text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [readLine(line, i + 1)]));
  const { protocol, imei, over } = (about ?? {}) as Record<string, unknown>;
  if (typeof protocol !== 'string' || !Object.hasOwn(TRACKERS, protocol)) {
    throw new Error(`The recording’s protocol is ${JSON.stringify(protocol)}, which is none of ours.`);
  }
  if (over !== 'tcp' && over !== 'udp' && over !== 'http') throw new Error('A recording is over tcp, udp or http.');
  if (frames.length === 0) throw new Error('The recording has no frames.');
  return {
    protocol: protocol as TrackerProtocol,
    imei: String(imei ?? ''),
    over,
    frames: frames.map((frame, i) => readFrame(frame, i + 1)),
  };
}

function readLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`Line ${number} of the recording is no JSON.`);
  }
}

function readFrame(frame: unknown, number: number): RecordedFrame {
  const { atMs, hex, text } = (frame ?? {}) as Record<string, unknown>;
  const isHex = typeof hex === 'string' && /^([0-9a-f]{2})+$/i.test(hex);
  if (typeof atMs !== 'number' || (!isHex && typeof text !== 'string')) {
    throw new Error(`Frame ${number} of the recording has no time (atMs), or neither hex nor text.`);
  }
  return { atMs, bytes: isHex ? Buffer.from(String(hex), 'hex') : Buffer.from(String(text), 'latin1') };
}
