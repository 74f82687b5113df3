import { createUser } from '../../modules/accounts/accounts.ts';
import { type SignedIn, signedIn, type TestHttpServer } from '../../testing/http-server.ts';
import { testImei } from '../../testing/imei.ts';
import { receivedPosition, storePositions } from '../../testing/stored-positions.ts';

/** What an account has of every kind, by the ids that a caller would name. */
export interface Belongings {
  readonly accountId: number;
  readonly vehicleId: string;
  readonly imei: string;
  readonly folderId: string;
  readonly departmentId: string;
  readonly driverId: string;
  readonly userName: string;
  readonly password: string;
}

export interface Somebody extends SignedIn, Belongings {
  /** Stands in every row of theirs. */
  readonly marker: string;
}

/** Nobody has any of these. */
export const NOBODYS = {
  vehicleId: '2000000000',
  folderId: '2000000000',
  departmentId: '2000000000',
  driverId: '2000000000',
} satisfies Partial<Belongings>;

let count = 0;

export interface Wishes {
  readonly accountId?: number;
  /** Somebody who can sign in: hashing takes a while. */
  readonly signsIn?: boolean;
}

/** Somebody with a vehicle, positions, a folder and all else, and a name that stands in every row of theirs. */
export async function somebodyWithData(server: TestHttpServer, wishes: Wishes = {}): Promise<Somebody> {
  const marker = `marker${++count}x`;
  const somebody = await signedIn(server, wishes);
  const { context, directory, organisation } = server;
  const { system } = context.db;
  const { accountId } = somebody;
  const account = { account_id: accountId };
  const userName = `${marker}-user`;
  const password = `${marker} and a password`;
  await createUser(context.db, {
    accountId,
    userName,
    displayName: marker,
    role: 'owner',
    password: wishes.signsIn ? password : null,
  });
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
  context.signals.emit('vehicle-changed', { vehicleId: vehicle.id, accountId, imei });
  context.signals.emit('organisation-changed', { accountId });
  await Promise.all([directory.settled(), organisation.roster.settled()]);
  const hourAgo = Date.now() - 3_600_000;
  await storePositions(server, accountId, vehicle.id, [
    receivedPosition(hourAgo, { rfid: marker }),
    receivedPosition(hourAgo + 1e4),
  ]);
  return {
    ...somebody,
    marker,
    imei,
    userName,
    password,
    vehicleId: String(vehicle.id),
    folderId: String(folder.id),
    departmentId: String(department.id),
    driverId: String(driver.id),
  };
}
