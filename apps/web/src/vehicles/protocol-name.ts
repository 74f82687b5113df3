import { TRACKERS, type TrackerProtocol } from '@milepost/contract';

/** Protocols by the names that stand on trackers and in their manuals. */
export const protocolName = (protocol: TrackerProtocol | null): string | null => protocol && TRACKERS[protocol].title;
