import { TRACKER_PROTOCOLS, TRACKERS, type TrackerProtocol } from '@milepost/contract';

/** Where the server is and how trackers reach it. */
export interface Target {
  readonly url: string;
  /** The token of a session that may edit vehicles: MQTT trackers get new keys. */
  readonly token: string;
  readonly host: string;
  /** The port of each gateway; protocols without an entry are off. */
  readonly ports: { readonly [P in TrackerProtocol]?: number };
  /**
   * The vehicles to drive, if not all of the account's. A vehicle's route depends on its place in this list, so it stays
   * the same when others are added or deleted.
   */
  readonly fleet?: readonly { readonly imei: string; readonly name: string }[];
}

export const USUAL_PORTS: Target['ports'] = Object.fromEntries(
  TRACKER_PROTOCOLS.map(protocol => [protocol, TRACKERS[protocol].port]),
);
