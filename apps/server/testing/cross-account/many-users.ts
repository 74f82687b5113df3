import type { TestHttpServer } from '../http-server.ts';
import { type UserWithData, usersWithData } from './account-data.ts';
import type { UserOptions } from './account-people.ts';

const AT_ONCE = 12;
type Options = Omit<UserOptions, 'accountId'>;

/** One after another; a dozen made together take little longer than one. */
function manyOf<T>(make: (howMany: number) => Promise<T[]>): () => Promise<T> {
  const ready: T[] = [];
  return async () => {
    if (ready.length === 0) ready.push(...(await make(AT_ONCE)));
    return ready.pop() as T;
  };
}

/** New users, each in an account of their own or all in the given one. */
export const manyUsers = (
  server: () => TestHttpServer,
  options: Options = {},
  accountId?: () => number,
): (() => Promise<UserWithData>) =>
  manyOf(howMany => usersWithData(server(), options, accountId ? Array(howMany).fill(accountId()) : howMany));

export interface Pair {
  readonly me: UserWithData;
  /** An owner of the same account, which has nobody else. */
  readonly other: UserWithData;
}

/** New accounts of two: small ones, so that reading all their rows is quick. */
export const manyPairs = (server: () => TestHttpServer, options: Options): (() => Promise<Pair>) =>
  manyOf(async howMany => {
    const mine = await usersWithData(server(), options, howMany);
    const others = await usersWithData(
      server(),
      {},
      mine.map(({ accountId }) => accountId),
    );
    return others.map((other, i) => ({ me: mine[i] as UserWithData, other }));
  });

/**
 * The limited user sees the other's vehicle and driver now but can't change them: their driver drives that vehicle,
 * and that driver drives their vehicle.
 */
export async function passing({ context }: TestHttpServer, { me, other }: Pair): Promise<Pair> {
  const drives = (driverId: string | null, vehicleId: string) =>
    context.db.system
      .updateTable('vehicle')
      .set({ usual_driver_id: driverId === null ? null : Number(driverId) })
      .where('id', '=', Number(vehicleId))
      .execute();
  // Each driver drives one vehicle at a time.
  await drives(null, me.vehicleId);
  await drives(me.driverId, other.vehicleId);
  await drives(other.driverId, me.vehicleId);
  await context.feed.settled();
  return { me, other };
}

/**
 * Lends one to test after test while it stays as it was made, by how it looks. A test that changes it or fails keeps it,
 * and the next test gets a new one. A test may say how it looks after its call, having read it anyway.
 */
export function lending<T>(make: () => Promise<T>, look: (one: T) => Promise<string> = async () => '') {
  let kept: { readonly one: T; readonly asMade: string } | null = null;
  return async (test: (one: T) => Promise<unknown>): Promise<void> => {
    let lent = kept;
    kept = null;
    if (!lent) {
      const one = await make();
      lent = { one, asMade: await look(one) };
    }
    const told = await test(lent.one);
    if ((typeof told === 'string' ? told : await look(lent.one)) === lent.asMade) kept = lent;
  };
}
