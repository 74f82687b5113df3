import type { Context } from '../src/context.ts';
import { hashDeviceKey } from '../src/fleet/device-key.ts';
import type { SignedIn, TestHttpServer } from './http-server.ts';
import { testImei } from './imei.ts';

let serial = 600_000;

/** Calls the server as this user; returns status and body. */
export function callerOf(server: Pick<TestHttpServer, 'call'>, { token }: Pick<SignedIn, 'token'>) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, `/api/v1${path}`, { token, ...(body !== undefined && { body }) });
    return { ...answer, body: answer.body as never };
  };
}
export type Caller = ReturnType<typeof callerOf>;

/** Limits a user to folders and departments, as an administrator would. */
export async function limit(
  context: Context,
  { userId }: Pick<SignedIn, 'userId'>,
  scope: { readonly folders?: readonly string[]; readonly departments?: readonly string[] },
): Promise<void> {
  await context.db.system
    .updateTable('app_user')
    .set({
      scope_folders: (scope.folders ?? []).map(Number),
      scope_departments: (scope.departments ?? []).map(Number),
    })
    .where('id', '=', userId)
    .execute();
  await context.feed.settled();
}

export async function addNamedVehicle(
  { context, directory }: Pick<TestHttpServer, 'context' | 'directory'>,
  accountId: number,
  name: string,
): Promise<{ readonly id: string; readonly imei: string }> {
  const imei = testImei(++serial);
  const { id } = await context.db.system
    .insertInto('vehicle')
    .values({ account_id: accountId, imei, name, device_key_hash: hashDeviceKey('a key for tests') })
    .returning('id')
    .executeTakeFirstOrThrow();
  await context.feed.settled();
  await directory.settled();
  return { id: String(id), imei };
}
