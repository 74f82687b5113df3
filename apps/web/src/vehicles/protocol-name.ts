import type { TrackerProtocol } from '@milepost/contract';

/** Protocols by the names that stand on trackers and in their manuals. */
const NAMES: Readonly<Record<TrackerProtocol, string>> = {
  teltonika: 'Teltonika',
  gt06: 'GT06',
  osmand: 'OsmAnd',
  mqtt: 'MQTT',
};

export const protocolName = (protocol: TrackerProtocol | null): string | null => protocol && NAMES[protocol];
