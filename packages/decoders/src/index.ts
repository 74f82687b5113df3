import { underTheRule } from './possible.ts';
import * as registered from './protocols.ts';
import type { Registration } from './registration.ts';

export * from './commands.ts';
export { TRACKER_EVENTS, type TrackerEvent } from './events.ts';
export { explainFrame } from './explain/explain-frame.ts';
export type { FramePart } from './explain/walk.ts';
export * as gt06Encode from './gt06/encode.ts';
export * as osmandEncode from './osmand/encode.ts';
export { possible } from './possible.ts';
export * from './protocol.ts';
export { isRefusal } from './refusal.ts';
export * from './registration.ts';
export * as teltonikaEncode from './teltonika/encode.ts';

type Registered = typeof registered;
export type ProtocolName = keyof Registered;

const ruled = Object.fromEntries(
  Object.entries(registered).map(([name, registration]) => [name, underTheRule<Registration>(registration)]),
) as { readonly [Name in ProtocolName]: Registered[Name] };

/**
 * All protocols by name, with the position check of `possible.ts` applied. To add one, add a line to `protocols.ts`.
 */
export const protocols: Readonly<Record<ProtocolName, Registration>> = ruled;

export const PROTOCOL_NAMES = Object.keys(ruled) as readonly ProtocolName[];

export const { stream: gt06 } = ruled.gt06;
export const { http: osmand } = ruled.osmand;
export const { stream: teltonika, datagram: teltonikaUdp } = ruled.teltonika;
