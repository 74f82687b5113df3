import { ROLES, type Role } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { testImei } from '../../testing/imei.ts';
import type { DirectoryEntry } from '../fleet/directory.ts';
import { type Identity, refusePublish, refuseSubscribe } from './rights.ts';

const entry = (id: number, accountId: number): DirectoryEntry => ({
  id,
  accountId,
  imei: testImei(id),
  trackerId: null,
  name: `Unit ${id}`,
  protocol: null,
  folderId: null,
  usualDriverId: null,
  trackerAddresses: [],
  odometerOffset: 0,
  speedLimitKmh: null,
});
const OWN = entry(1, 1);
const SIBLING = entry(2, 1);
const FOREIGN = entry(3, 2);
const HIDDEN = entry(4, 1);
const entries = new Map([OWN, SIBLING, FOREIGN, HIDDEN].map(vehicle => [vehicle.imei, vehicle]));
const sees = ({ accountId }: { readonly accountId: number }, imei: string) =>
  imei !== HIDDEN.imei && entries.get(imei)?.accountId === accountId;

const browser = (role: Role, readOnly = false): Identity => ({
  kind: 'browser',
  session: {
    sessionId: 's',
    kind: 'browser',
    scope: null,
    duty: null,
    accountId: 1,
    userId: 'u',
    userName: 'n',
    role,
    readOnly,
    expiresAt: new Date(Date.now() + 1000),
  },
});
const device: Identity = { kind: 'device', vehicle: OWN, key: 'k' };

const TOPICS = {
  'device/{own}': `device/${OWN.imei}`,
  'user/{own}': `user/${OWN.imei}`,
  'device/{same account}': `device/${SIBLING.imei}`,
  'user/{same account}': `user/${SIBLING.imei}`,
  'device/{other account}': `device/${FOREIGN.imei}`,
  'user/{other account}': `user/${FOREIGN.imei}`,
  'user/{out of sight}': `user/${HIDDEN.imei}`,
  'device/{out of sight}': `device/${HIDDEN.imei}`,
  'device/{nobody}': `device/${testImei(9)}`,
  'device/+': 'device/+',
  'device/#': 'device/#',
  '#': '#',
  '+/{own}': `+/${OWN.imei}`,
  $SYS: '$SYS/broker/new/clients',
  '$SYS/#': '$SYS/#',
  $share: `$share/group/device/${OWN.imei}`,
  'trailing slash': `device/${OWN.imei}/`,
  'leading slash': `/device/${OWN.imei}`,
  'deeper level': `device/${OWN.imei}/raw`,
  'too few digits': 'device/12345',
  'line break': `device/${OWN.imei}\n`,
  anything: 'hello',
  nothing: '',
};
type TopicName = keyof typeof TOPICS;

const CLIENTS: Readonly<Record<string, Identity>> = {
  device,
  ...Object.fromEntries(ROLES.map(role => [role, browser(role)])),
  'read-only visitor': browser('owner', true),
};
const ACTIONS = {
  publish: (identity: Identity, topic: string) => refusePublish(identity, topic, sees),
  subscribe: (identity: Identity, topic: string) => refuseSubscribe(identity, topic, sees),
};

/** Everything that is allowed; the rest of the table follows from it. */
const READS_VEHICLES = ['owner', 'admin', 'dispatcher', 'viewer', 'driver', 'read-only visitor'];
const COMMANDS = ['owner', 'admin', 'dispatcher'];
const ALLOWED = new Set<string>([
  ...COMMANDS.flatMap(client => [`${client} publish user/{own}`, `${client} publish user/{same account}`]),
  'device publish device/{own}',
  'device subscribe user/{own}',
  ...READS_VEHICLES.flatMap(client => [
    `${client} subscribe device/{own}`,
    `${client} subscribe device/{same account}`,
  ]),
]);

describe('[R6.02] [R6.04] topic rights', () => {
  const cells = Object.keys(CLIENTS).flatMap(client =>
    Object.keys(ACTIONS).flatMap(action => Object.keys(TOPICS).map(topic => [client, action, topic] as const)),
  );
  it.each(cells)('%s %s %s', (client, action, topic) => {
    const refusal = ACTIONS[action as keyof typeof ACTIONS](CLIENTS[client]!, TOPICS[topic as TopicName]);
    expect(refusal === null).toBe(ALLOWED.has(`${client} ${action} ${topic}`));
  });
});

it('[R6.04] does not tell a vehicle of another account from none', () => {
  const refusal = (topic: string) => refuseSubscribe(browser('owner'), topic, sees);
  expect(refusal(TOPICS['device/{other account}'])).toBe(refusal(TOPICS['device/{nobody}']));
});
