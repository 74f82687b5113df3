import { TRACKER_PROTOCOLS, TRACKERS, type TrackerProtocol } from '@milepost/contract';

/** Where the server is and how its trackers reach it. */
export interface Target {
  readonly url: string;
  /** Of a session that may change vehicles: MQTT trackers get new keys. */
  readonly token: string;
  readonly host: string;
  /** Port of each gateway; a protocol that is not here is off. */
  readonly ports: { readonly [P in TrackerProtocol]?: number };
}

export const USUAL_PORTS: Target['ports'] = Object.fromEntries(
  TRACKER_PROTOCOLS.map(protocol => [protocol, TRACKERS[protocol].port]),
);
