import { TRACKER_PROTOCOLS, TRACKERS, type TrackerProtocol } from '@milepost/contract';

/** The protocol's name as trackers and their manuals print it. */
export const protocolName = (protocol: TrackerProtocol | null): string | null => protocol && TRACKERS[protocol].title;

/** Options for a select. `automatic` is the label for the protocol of the first report. */
export const protocolOptions = (automatic: string) => [
  { value: '', label: automatic },
  ...TRACKER_PROTOCOLS.map(protocol => ({ value: protocol, label: TRACKERS[protocol].title })),
];
