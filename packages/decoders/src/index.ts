import * as registered from './protocols.ts';
import type { Registration } from './registration.ts';

export * from './commands.ts';
export { TRACKER_EVENTS, type TrackerEvent } from './events.ts';
export { explainFrame } from './explain/explain-frame.ts';
export type { FramePart } from './explain/walk.ts';
export { gt06 } from './gt06/decode.ts';
export * as gt06Encode from './gt06/encode.ts';
export { osmand } from './osmand/decode.ts';
export * as osmandEncode from './osmand/encode.ts';
export * from './protocol.ts';
export { isRefusal } from './refusal.ts';
export * from './registration.ts';
export { teltonika, teltonikaUdp } from './teltonika/decode.ts';
export * as teltonikaEncode from './teltonika/encode.ts';

export type ProtocolName = keyof typeof registered;

/** All protocols by name. A new one is one line in `protocols.ts`. */
export const protocols: Readonly<Record<ProtocolName, Registration>> = registered;

export const PROTOCOL_NAMES = Object.keys(registered) as readonly ProtocolName[];
