import type { Celsius, Degrees, EpochMs, Metres, MetresPerSecond, Percent } from '@milepost/units';

/** Values that have a name and a unit but no column: CAN data, inputs, cell towers … Names are `camelCase`, SI inside. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** One report of a tracker. `null` says that the tracker did not send the value; nothing is guessed here. */
export interface PositionMessage {
  readonly kind: 'position';
  /** Time of the fix by the tracker's clock. */
  readonly time: EpochMs;
  /** The tracker vouches for the fix. */
  readonly valid: boolean;
  /** WGS 84, −90…90 and −180…180; `possible.ts` sees to it. */
  readonly lat: Degrees;
  readonly lon: Degrees;
  readonly speed: MetresPerSecond | null;
  readonly course: Degrees | null;
  readonly altitude: Metres | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
  readonly ignition: boolean | null;
  readonly odometer: Metres | null;
  readonly fuel: Percent | null;
  readonly temperature: Celsius | null;
  /** Signal on the scale of 3GPP TS 27.007 `+CSQ`: 0–31. */
  readonly gsm: number | null;
  /** What made the tracker report, a word of `events.ts`: `sos`, `powerCut`, `overspeed`, `ignitionOn` … */
  readonly event: string | null;
  /** Driver's card, iButton or RFID as upper-case hex or text. */
  readonly rfid: string | null;
  readonly attributes: Attributes;
}

export type DecodedMessage =
  /** Who speaks. Over datagrams and HTTP it comes first in every answer. What the tracker says of itself beside. */
  | { readonly kind: 'login'; readonly imei: string; readonly attributes?: Attributes }
  | PositionMessage
  /** The tracker is alive and says how it is, without a place. */
  | { readonly kind: 'heartbeat'; readonly attributes: Attributes }
  /** A record without a place that is more than a sign of life (alarm by cell tower, photo, Wi-Fi list …). */
  | {
      readonly kind: 'status';
      readonly time: EpochMs | null;
      readonly event: string | null;
      readonly attributes: Attributes;
    }
  /** The tracker's answer to a command. `reference` is the command's, where the protocol carries one. */
  | { readonly kind: 'reply'; readonly text: string; readonly reference: number | null }
  /** A frame that is not right. `at` is the offset in the frame, in bytes, where reading stopped. */
  | { readonly kind: 'error'; readonly code: DecodeErrorCode; readonly at: number };

export const DECODE_ERROR_CODES = [
  'too-short',
  'too-long',
  'bad-checksum',
  'bad-length',
  'bad-field',
  'unknown-type',
  'not-signed-in',
] as const;
export type DecodeErrorCode = (typeof DECODE_ERROR_CODES)[number];

export interface Decoded {
  readonly messages: readonly DecodedMessage[];
  /**
   * What the device waits for, or null. It goes out only after every position of `messages` is committed
   * (invariant I1), and for a login only when the gateway accepts the tracker.
   */
  readonly acknowledgement: Uint8Array | null;
  /** What a tracker hears whose login is not accepted; null: its connection is closed without a word. */
  readonly refusal: Uint8Array | null;
}

/** Where the first frame of a buffer lies. `garbage` says how much to throw away before looking again. */
export type FrameScan =
  | { readonly status: 'frame'; readonly end: number }
  | { readonly status: 'more' }
  | { readonly status: 'garbage'; readonly end: number };

/** What a decoder may know about the connection. Decoders keep nothing between frames. */
export interface Session {
  readonly imei: string | null;
  /** When the frame arrived; for protocols whose times lack a part. */
  readonly receivedAt: EpochMs;
}

/**
 * A protocol over a byte stream. All functions are pure, total and linear in their input: they never throw, hang or
 * allocate more than a multiple of the frame (invariant I3).
 */
export interface StreamProtocol {
  readonly name: string;
  /** A frame longer than this is garbage, in bytes. */
  readonly maxFrameBytes: number;
  nextFrame(buffer: Uint8Array): FrameScan;
  decode(frame: Uint8Array, session: Session): Decoded;
  /**
   * A command in the tracker's own words. `reference` comes back in the reply where the protocol carries one; `imei` is
   * what the tracker calls itself, which some protocols want to hear.
   */
  encodeCommand(command: string, reference: number, imei: string): Uint8Array;
}

/** The same over datagrams; the sender's identity travels in each, as the first message. */
export interface DatagramProtocol {
  readonly name: string;
  readonly maxFrameBytes: number;
  decodeDatagram(datagram: Uint8Array, receivedAt: EpochMs): Decoded;
  /** As over a stream; a tracker hears it at the address that it last reported from. */
  encodeCommand?(command: string, reference: number, imei: string): Uint8Array;
}

/** The parts of a request that carry a report. `body` is text; `query` has no leading question mark. */
export interface HttpReport {
  readonly method: string;
  readonly query: string;
  readonly contentType: string | null;
  readonly body: string;
}

/**
 * The same over HTTP: a login first, then what it reports. Success is status 200 with an empty body, sent after the
 * commit; an `error` among the messages is status 400.
 */
export interface HttpProtocol {
  readonly name: string;
  readonly maxBodyBytes: number;
  decodeRequest(request: HttpReport, receivedAt: EpochMs): readonly DecodedMessage[];
}
