import { ProblemError } from '@milepost/client';
import type { QueryKey } from '@tanstack/react-query';
import { answered, queryClient, readAnew } from '../base/queries.ts';

interface Kept {
  readonly id: string;
}

/** For more items than this, reading the whole list is faster. */
const ONE_BY_ONE = 20;

/**
 * Updates a loaded list item by item. `ids` are the changed items; if the set has null, they aren't known. Returns the
 * list, or null if it is read as a whole or isn't loaded.
 */
export async function keepList<T extends Kept>(
  queryKey: QueryKey,
  ids: ReadonlySet<string | null>,
  readOne: (id: string) => Promise<T>,
): Promise<readonly T[] | null> {
  const query = queryClient.getQueryCache().find<readonly T[]>({ queryKey, exact: true });
  if (!query) return null;
  if (ids.has(null) || ids.size > ONE_BY_ONE) {
    await readAnew(queryKey);
    return null;
  }
  // It may have older data and would overwrite what is read here.
  await answered(query);
  if (query.state.data === undefined) return null;
  try {
    const read = new Map(
      await Promise.all([...ids].map(async id => [id, await orNone(readOne(id as string))] as const)),
    );
    return queryClient.setQueryData<readonly T[]>(queryKey, list => list && merged(list, read)) ?? null;
  } catch {
    // The connection is down; the list is refetched when it is back.
    await queryClient.invalidateQueries({ queryKey });
    return null;
  }
}

/** Null for an item that is gone or that the user may no longer see. */
const orNone = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof ProblemError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  });

/** Replaces items in their place and removes those that are gone. New items come last, as in the server's lists. */
export function merged<T extends Kept>(list: readonly T[], read: ReadonlyMap<string | null, T | null>): readonly T[] {
  const known = new Set(list.map(({ id }) => id));
  const kept = list.flatMap(one => (read.has(one.id) ? (read.get(one.id) ?? []) : one));
  const added = [...read.values()].filter(one => one !== null && !known.has(one.id)) as T[];
  return [...kept, ...added];
}
