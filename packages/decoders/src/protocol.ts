import type { Celsius, Degrees, EpochMs, Metres, MetresPerSecond, Percent } from '@milepost/units';

/** Named values without their own column: CAN data, inputs, cell towers … Names are `camelCase`, units SI. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** One report from a tracker. `null` means that the tracker did not send the value; nothing is guessed here. */
export interface PositionMessage {
  readonly kind: 'position';
  /** Time of the fix by the tracker's clock. */
  readonly time: EpochMs;
  /** The tracker marked the fix as valid. */
  readonly valid: boolean;
  /** WGS 84, −90…90 and −180…180, guaranteed by `possible.ts`. */
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
  /** What caused the report, a word from `events.ts`: `sos`, `powerCut`, `overspeed`, `ignitionOn` … */
  readonly event: string | null;
  /** Driver's card, iButton or RFID as upper-case hex or text. */
  readonly rfid: string | null;
  readonly attributes: Attributes;
}

export type DecodedMessage =
  /**
   * The tracker's ID. Over datagrams and HTTP it is the first message of every result. May include other facts the
   * tracker reports.
   */
  | { readonly kind: 'login'; readonly imei: string; readonly attributes?: Attributes }
  | PositionMessage
  /** The tracker is alive and reports its state, without a position. */
  | { readonly kind: 'heartbeat'; readonly attributes: Attributes }
  /** A record without a position that is more than a heartbeat (alarm by cell tower, photo, Wi-Fi list …). */
  | {
      readonly kind: 'status';
      readonly time: EpochMs | null;
      readonly event: string | null;
      readonly attributes: Attributes;
    }
  /** The tracker's answer to a command. `reference` is the command's, if the protocol carries one. */
  | { readonly kind: 'reply'; readonly text: string; readonly reference: number | null }
  /** An invalid frame. `at` is the byte offset in the frame where reading stopped. */
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
   * The answer that the device waits for, or null. It is sent only after every position of `messages` is committed
   * (invariant I1), and for a login only if the gateway accepts the tracker.
   */
  readonly acknowledgement: Uint8Array | null;
  /** The answer to a tracker whose login is not accepted; null: its connection is closed without an answer. */
  readonly refusal: Uint8Array | null;
}

/** Where the first frame of a buffer is. For `garbage`, `end` is how much to skip before looking again. */
export type FrameScan =
  | { readonly status: 'frame'; readonly end: number }
  | { readonly status: 'more' }
  | { readonly status: 'garbage'; readonly end: number };

/** What a decoder knows about the connection. Decoders keep nothing between frames. */
export interface Session {
  readonly imei: string | null;
  /** When the frame arrived, for protocols with incomplete times. */
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
   * A command in the tracker's own format. `reference` comes back in the reply if the protocol carries one; `imei` is
   * the tracker's own ID, which some protocols require.
   */
  encodeCommand(command: string, reference: number, imei: string): Uint8Array;
}

/** The same over datagrams; each contains the sender's identity, which is the first message. */
export interface DatagramProtocol {
  readonly name: string;
  readonly maxFrameBytes: number;
  decodeDatagram(datagram: Uint8Array, receivedAt: EpochMs): Decoded;
  /** As over a stream; sent to the address that the tracker last reported from. */
  encodeCommand?(command: string, reference: number, imei: string): Uint8Array;
}

/** The parts of a request that contain a report. `body` is text; `query` has no leading question mark. */
export interface HttpReport {
  readonly method: string;
  readonly query: string;
  readonly contentType: string | null;
  readonly body: string;
}

/**
 * The same over HTTP: a login first, then the reports. Success is status 200 with an empty body, sent after the commit;
 * an `error` among the messages is status 400.
 */
export interface HttpProtocol {
  readonly name: string;
  readonly maxBodyBytes: number;
  decodeRequest(request: HttpReport, receivedAt: EpochMs): readonly DecodedMessage[];
}
