import { gt06 } from './gt06/decode.ts';
import { osmand } from './osmand/decode.ts';
import type { DatagramProtocol, HttpProtocol, StreamProtocol } from './protocol.ts';
import { teltonika, teltonikaUdp } from './teltonika/decode.ts';

export { TRACKER_EVENTS, type TrackerEvent } from './events.ts';
export * as gt06Encode from './gt06/encode.ts';
export * as osmandEncode from './osmand/encode.ts';
export * from './protocol.ts';
export * as teltonikaEncode from './teltonika/encode.ts';
export { gt06, osmand, teltonika, teltonikaUdp };

/** How a protocol may be spoken. */
export interface Transports {
  readonly stream?: StreamProtocol;
  readonly datagram?: DatagramProtocol;
  readonly http?: HttpProtocol;
}

/** All protocols by name. */
export const protocols = {
  teltonika: { stream: teltonika, datagram: teltonikaUdp },
  gt06: { stream: gt06 },
  osmand: { http: osmand },
} as const satisfies Readonly<Record<string, Transports>>;

export type ProtocolName = keyof typeof protocols;
export const PROTOCOL_NAMES = Object.keys(protocols) as readonly ProtocolName[];
