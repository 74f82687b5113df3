import type { Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';
import { LOCATION_BYTES, readLocation } from './location.ts';
import type { Packet } from './packet.ts';

/**
 * 0x0205 by amendment 1 of JT/T 808-2019 (§8.65), sent every ten minutes: for each system the number of satellites that
 * are received, and of each its number, elevation, azimuth and carrier-to-noise ratio; then a location.
 */
export const SYSTEMS = ['beidou', 'gps', 'glonass', 'galileo'] as const;
export const SATELLITE_BYTES = 5;
const NOISE_AT = 4;
const MOST_SATELLITES = 100;

interface Received {
  readonly system: (typeof SYSTEMS)[number];
  readonly satellites: number;
  /** The best ratio, in dB-Hz. */
  readonly signal: number;
}

/** The lists up to the location; null if the body does not consist of exactly these. */
export function satelliteLists({ bytes, at, end }: Reader): readonly Received[] | null {
  const lists: Received[] = [];
  let next = at;
  for (const system of SYSTEMS) {
    const satellites = bytes[next] ?? MOST_SATELLITES + 1;
    if (next >= end || satellites > MOST_SATELLITES) return null;
    const ratios = Array.from({ length: satellites }, (_, i) => bytes[next + 1 + i * SATELLITE_BYTES + NOISE_AT] ?? 0);
    lists.push({ system, satellites, signal: Math.max(0, ...ratios) });
    next += 1 + satellites * SATELLITE_BYTES;
  }
  return next + LOCATION_BYTES === end ? lists : null;
}

export function readSatellites(body: Reader, { versioned }: Packet): DecodedMessage[] | null {
  const lists = satelliteLists(body);
  if (lists === null) return null;
  body.at = body.end - LOCATION_BYTES;
  const message = readLocation(body, versioned);
  if (message?.kind !== 'position' && message?.kind !== 'status') return null;
  const attributes: Record<string, number> = {};
  for (const { system, satellites, signal } of lists) {
    attributes[`${system}InView`] = satellites;
    if (satellites > 0) attributes[`${system}Signal`] = signal;
  }
  return [{ ...message, attributes: { ...message.attributes, ...attributes } }];
}
