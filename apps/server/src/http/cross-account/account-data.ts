import { randomBytes, randomUUID } from 'node:crypto';
import { PERMISSIONS_OF_ROLE, type Role } from '@milepost/contract';
import { createUser } from '../../modules/accounts/accounts.ts';
import { hashPassword } from '../../modules/accounts/password.ts';
import { writeEntries } from '../../modules/logbook/write.ts';
import { addAlert } from '../../testing/alerts.ts';
import { type SignedIn, signedIn, type TestHttpServer } from '../../testing/http-server.ts';
import { testImei } from '../../testing/imei.ts';
import { type ShareLink, shareLink } from '../../testing/share-link.ts';
import { receivedPosition, storePositions } from '../../testing/stored-positions.ts';

/** One item of every kind in an account, by the ids a caller would use. */
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
  /** A link that shares the vehicle: its id, its token, and what its visitors call the vehicle. */
  readonly share: ShareLink;
  readonly sessionId: string;
  /** Another user of the account, who may do less than an owner. */
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
  share: { id: '2000000000', token: 'nobody', key: randomUUID() },
  sessionId: randomUUID(),
  colleagueId: randomUUID(),
  roleId: '2000000000',
  passkeyId: randomUUID(),
  apiTokenId: randomUUID(),
  image: `${'0'.repeat(32)}.webp`,
} satisfies Partial<AccountData>;

/** Everybody's, hashed once: what a hash costs is not what these tests are about. */
const PASSWORD = 'a sentence nobody guesses';
let passwordHash: Promise<string> | null = null;
let count = 0;

export interface UserOptions {
  readonly accountId?: number;
  readonly role?: Role;
  readonly readOnly?: boolean;
}

/** A user with a vehicle, positions, a folder and everything else, and a marker that is in each of their rows. */
export async function userWithData(server: TestHttpServer, options: UserOptions = {}): Promise<UserWithData> {
  const marker = `marker${++count}x`;
  const somebody = await signedIn(server, options);
  const { context } = server;
  const { system } = context.db;
  const { accountId } = somebody;
  const account = { account_id: accountId };
  const person = await personWithSecrets(server, somebody, marker);
  const named = { ...account, name: marker };
  const folder = await system.insertInto('folder').values(named).returning('id').executeTakeFirstOrThrow();
  const department = await system.insertInto('department').values(named).returning('id').executeTakeFirstOrThrow();
  const driver = await system
    .insertInto('driver')
    .values({ ...named, department_id: department.id, card: `CARD${count}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  const imei = testImei(3000 + count);
  const vehicle = await system
    .insertInto('vehicle')
    .values({
      ...named,
      imei,
      plate: marker.slice(0, 15),
      folder_id: folder.id,
      usual_driver_id: driver.id,
      device_key_hash: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.feed.settled();
  const hourAgo = Date.now() - 3_600_000;
  await storePositions(server, accountId, vehicle.id, [
    receivedPosition(hourAgo, { rfid: marker }),
    receivedPosition(hourAgo + 1e4),
  ]);
  await writeLog(server, accountId, driver.id, marker);
  const files = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const content = { kind: 'other', title: marker, file_name: `${marker}.pdf`, type: 'application/pdf', bytes: 9 };
  const [document, driverDocument] = await system
    .insertInto('document')
    .values([
      { ...account, ...content, vehicle_id: vehicle.id, driver_id: null, file: files[0] ?? '' },
      { ...account, ...content, vehicle_id: null, driver_id: driver.id, file: files[1] ?? '' },
    ])
    .returning('id')
    .execute();
  const alertId = await addAlert(server, accountId, vehicle.id, { event: marker });
  const subscription = await system
    .selectFrom('subscription')
    .select('id')
    .where('imei', '=', imei)
    .executeTakeFirstOrThrow();
  return {
    ...somebody,
    ...person,
    marker,
    files,
    share: await shareLink(
      server,
      { accountId, userId: await sharerOf(server, somebody, options, marker) },
      vehicle.id,
      marker,
    ),
    documentId: String(document?.id),
    driverDocumentId: String(driverDocument?.id),
    subscriptionId: String(subscription.id),
    alertId,
    password: PASSWORD,
    imei,
    vehicleId: String(vehicle.id),
    folderId: String(folder.id),
    departmentId: String(department.id),
    driverId: String(driver.id),
  };
}

/** Links work as long as whoever made them may share; for others, somebody who may has made theirs. */
async function sharerOf(
  { context }: TestHttpServer,
  { accountId, userId }: SignedIn,
  { role }: UserOptions,
  marker: string,
) {
  if (role === undefined || PERMISSIONS_OF_ROLE[role].includes('shares.write')) return userId;
  return createUser(context.db, { accountId, userName: `${marker}-sharer`, role: 'dispatcher', password: null });
}

/** A day in the logbook; nothing but the database's own wall is between it and others yet. */
async function writeLog({ context }: TestHttpServer, accountId: number, driverId: number, marker: string) {
  const at = Date.parse('2026-02-03T14:00:00Z');
  const event = {
    at,
    vehicle: { powerUnit: 'T204', vin: '' },
    trailers: '',
    shippingDocument: marker,
    type: 5,
    code: 1,
    totalMiles: null,
    totalHours: null,
  } as const;
  const terms = { home: { timeZone: 'America/Chicago', startOfDay: 0 }, userName: marker };
  const entry = { action: 'record', log: `driver:${driverId}`, device: 'vehicle:1', by: 'eld', event } as const;
  await writeEntries(context.db, accountId, [entry], () => terms, at);
}

/** What belongs to a person rather than to the fleet. */
async function personWithSecrets({ context, sessions }: TestHttpServer, somebody: SignedIn, marker: string) {
  const { system } = context.db;
  const { accountId, userId } = somebody;
  const account = { account_id: accountId };
  const image = `${randomBytes(16).toString('hex')}.webp`;
  await system
    .insertInto('image')
    .values({ ...account, name: image, kind: 'user', content: Buffer.from('an image') })
    .execute();
  passwordHash ??= hashPassword(PASSWORD);
  await system
    .updateTable('app_user')
    .set({ password_hash: await passwordHash, display_name: marker, image })
    .where('id', '=', userId)
    .execute();
  const colleague = { accountId, userName: `${marker}-colleague`, role: 'viewer', password: null } as const;
  const role = await system
    .insertInto('custom_role')
    .values({ ...account, name: marker, based_on: 'viewer', permissions: ['vehicles.read'] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const view = await system
    .insertInto('saved_view')
    .values({ ...account, page: 'fleet', name: marker, query: `q=${marker}`, owner_id: userId, created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const passkey = await system
    .insertInto('passkey')
    .values({
      ...account,
      user_id: userId,
      credential_id: marker,
      public_key: Buffer.alloc(1),
      counter: 0,
      rp_id: 'localhost',
      name: marker,
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const apiToken = { name: marker, scopes: ['vehicles.read'] as const, expiresAt: new Date(Date.now() + 86_400_000) };
  return {
    image,
    colleagueId: await createUser(context.db, colleague),
    roleId: String(role.id),
    viewId: String(view.id),
    passkeyId: passkey.id,
    apiTokenId: (await sessions.open({ accountId, userId, apiToken })).sessionId,
  };
}
