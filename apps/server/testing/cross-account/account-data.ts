import { randomBytes, randomUUID } from 'node:crypto';
import { sosAlert } from '../alerts.ts';
import type { SignedIn, TestHttpServer } from '../http-server.ts';
import { type ShareLink, shareLinks } from '../share-link.ts';
import { receivedPosition, storePositionsOf } from '../stored-positions.ts';
import { at, limitEach, PASSWORD, signedInUsers, type UserOptions, withSecrets } from './account-people.ts';
import { documentsOf, logEntryOf, lookOf, tasksOf } from './account-rows.ts';

/** One item of each kind in an account, by the IDs a caller would use. */
export interface AccountData {
  readonly accountId: number;
  readonly vehicleId: string;
  readonly imei: string;
  readonly folderId: string;
  readonly departmentId: string;
  readonly driverId: string;
  /** A document of the vehicle, one of the driver, and the names of their files. */
  readonly documentId: string;
  readonly driverDocumentId: string;
  readonly files: readonly string[];
  readonly subscriptionId: string;
  /** An alert of the vehicle. */
  readonly alertId: string;
  /** A saved view of their own. */
  readonly viewId: string;
  readonly geofenceId: string;
  readonly geofenceGroupId: string;
  readonly ruleId: string;
  /** A task that their driver has accepted, with a photo; and one that is over. */
  readonly taskId: string;
  readonly pastTaskId: string;
  /** A link that shares the vehicle: its ID, its token, and the key by which visitors see the vehicle. */
  readonly share: ShareLink;
  readonly sessionId: string;
  /** Another user of the account, with fewer rights than an owner. */
  readonly colleagueId: string;
  readonly roleId: string;
  readonly passkeyId: string;
  readonly apiTokenId: string;
  readonly image: string;
}

export interface UserWithData extends SignedIn, AccountData {
  /** Part of each of their rows. */
  readonly marker: string;
  readonly password: string;
}

/** Ids that do not exist. */
export const UNKNOWN_IDS = {
  vehicleId: '2000000000',
  folderId: '2000000000',
  departmentId: '2000000000',
  driverId: '2000000000',
  documentId: '2000000000',
  driverDocumentId: '2000000000',
  subscriptionId: '2000000000',
  alertId: randomUUID(),
  viewId: '2000000000',
  geofenceId: '2000000000',
  geofenceGroupId: '2000000000',
  ruleId: '2000000000',
  taskId: '2000000000',
  pastTaskId: '2000000000',
  share: { id: '2000000000', token: 'nobody', key: randomUUID() },
  sessionId: randomUUID(),
  colleagueId: randomUUID(),
  roleId: '2000000000',
  passkeyId: randomUUID(),
  apiTokenId: randomUUID(),
  image: `${'0'.repeat(32)}.webp`,
} satisfies Partial<AccountData>;

/** A user with a vehicle, positions, a folder and everything else, and a marker in each of their rows. */
export async function userWithData(server: TestHttpServer, options: UserOptions = {}): Promise<UserWithData> {
  const { accountId } = options;
  const [user] = await usersWithData(server, options, accountId === undefined ? 1 : [accountId]);
  if (!user) throw new Error('One user was asked for.');
  return user;
}

/**
 * Users alike, one in each of these accounts or in so many new ones, made with one statement a table: most of the time
 * of making one is round trips.
 */
export async function usersWithData(
  server: TestHttpServer,
  options: Omit<UserOptions, 'accountId'>,
  accounts: readonly number[] | number,
): Promise<UserWithData[]> {
  const { context } = server;
  const { system } = context.db;
  const people = await withSecrets(server, options, await signedInUsers(server, options, accounts));
  const named = people.map(({ accountId, marker }) => ({ account_id: accountId, name: marker }));

  const within = async (table: 'folder' | 'department') => {
    const regions = options.limited
      ? await system
          .insertInto(table)
          .values(named.map(row => ({ ...row, name: `Region of ${row.name}` })))
          .returning('id')
          .execute()
      : [];
    const rows = named.map((row, i) => ({ ...row, parent_id: regions[i]?.id ?? null }));
    return { regions, inside: await system.insertInto(table).values(rows).returning('id').execute() };
  };
  const [folders, departments] = await Promise.all([within('folder'), within('department')]);
  if (options.limited) await limitEach(server, people, folders.regions, departments.regions);

  const drivers = await system
    .insertInto('driver')
    .values(
      people.map(({ serial, userId }, i) => ({
        ...at(named, i),
        department_id: at(departments.inside, i).id,
        card: `CARD${serial}`,
        user_id: options.drives ? userId : null,
      })),
    )
    .returning('id')
    .execute();
  const vehicles = await system
    .insertInto('vehicle')
    .values(
      people.map(({ marker, imei }, i) => ({
        ...at(named, i),
        imei,
        plate: marker.slice(0, 15),
        folder_id: at(folders.inside, i).id,
        usual_driver_id: at(drivers, i).id,
        device_key_hash: Buffer.alloc(32),
      })),
    )
    .returning('id')
    .execute();
  await context.feed.settled();

  const owned = people.map((person, i) => ({
    ...person,
    vehicle: at(vehicles, i).id,
    driver: at(drivers, i).id,
    files: [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')] as const,
  }));
  const hourAgo = Date.now() - 3_600_000;
  const [documents, alerts, shares, subscriptions] = await Promise.all([
    system.insertInto('document').values(owned.flatMap(documentsOf)).returning('id').execute(),
    system
      .insertInto('alert')
      .values(owned.map(({ accountId, vehicle, marker }) => sosAlert(accountId, vehicle, { event: marker })))
      .returning('id')
      .execute(),
    shareLinks(
      server,
      owned.map(({ accountId, sharerId, vehicle, marker }) => ({
        accountId,
        userId: sharerId,
        vehicleId: vehicle,
        name: marker,
      })),
    ),
    system
      .selectFrom('subscription')
      .select(['id', 'imei'])
      .where(
        'imei',
        'in',
        people.map(({ imei }) => imei),
      )
      .execute(),
    system.insertInto('duty_entry').values(owned.map(logEntryOf)).execute(),
    system.insertInto('look').values(owned.map(lookOf)).execute(),
    storePositionsOf(
      server,
      owned.map(({ accountId, vehicle, marker }) => ({
        accountId,
        vehicleId: vehicle,
        positions: [receivedPosition(hourAgo, { rfid: marker }), receivedPosition(hourAgo + 1e4)],
      })),
    ),
  ]);
  const tasks = await system.insertInto('task').values(owned.flatMap(tasksOf)).returning('id').execute();
  await system
    .insertInto('task_proof')
    .values(
      owned.map(({ accountId, marker }, i) => ({
        account_id: accountId,
        task_id: at(tasks, 2 * i).id,
        proof_id: randomUUID(),
        kind: 'photo' as const,
        content: Buffer.from(marker),
      })),
    )
    .execute();
  await context.feed.settled();
  await server.organisation.roster.settled();
  const subscriptionOf = new Map(subscriptions.map(({ id, imei }) => [imei, String(id)]));
  return owned.map(({ serial, sharerId, vehicle, driver, ...person }, i) => ({
    ...person,
    share: at(shares, i),
    documentId: String(at(documents, 2 * i).id),
    driverDocumentId: String(at(documents, 2 * i + 1).id),
    subscriptionId: subscriptionOf.get(person.imei) ?? '',
    alertId: at(alerts, i).id,
    taskId: String(at(tasks, 2 * i).id),
    pastTaskId: String(at(tasks, 2 * i + 1).id),
    password: PASSWORD,
    vehicleId: String(vehicle),
    folderId: String(at(folders.inside, i).id),
    departmentId: String(at(departments.inside, i).id),
    driverId: String(driver),
  }));
}
