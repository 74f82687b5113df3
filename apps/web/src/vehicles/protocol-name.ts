import { TRACKER_PROTOCOLS, TRACKERS, type TrackerProtocol } from '@milepost/contract';

/** Protocol names as printed on trackers and in their manuals. */
export const protocolName = (protocol: TrackerProtocol | null): string | null => protocol && TRACKERS[protocol].title;

/** To choose one from; `automatic` is the one of the first report. */
export const protocolOptions = (automatic: string) => [
  { value: '', label: automatic },
  ...TRACKER_PROTOCOLS.map(protocol => ({ value: protocol, label: TRACKERS[protocol].title })),
];
