import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { readFleetRoads } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { type Cells, levelOfTile, mergeCell } from './grid.ts';
import { ROADS_KEPT_DAYS } from './road-manager.ts';
import { roadTile, squaresOf, type TileAddress } from './road-tile.ts';
import { unpackSquare } from './square.ts';
import { firstDayKept } from './store.ts';
import { createTileCache } from './tile-cache.ts';

const TYPE = 'application/vnd.mapbox-vector-tile';
/** Squares unpacked at a time before other work on this thread gets a turn. */
const AT_ONCE = 50;

/** Vector tiles of the roads driven by the vehicles that the reader can see. */
export function registerRoads(http: Http, { db, signals }: Context, { visibility }: Organisation): void {
  const cache = createTileCache();
  signals.on('vehicle-changed', ({ accountId }) => cache.forget(accountId));

  http.handle(readFleetRoads, async ({ session, params }) => {
    const address = { z: Number(params.z), x: Number(params.x), y: Number(params.y) };
    const width = 2 ** address.z;
    if (address.x >= width || address.y >= width) throw new AppError('not-found');
    const sight = sightOf(session);
    const key = `${sight.key} ${address.z}/${address.x}/${address.y}`;
    const tile = await cache.of(session.accountId, key, () =>
      db.asAccount(session.accountId, trx => drivenTile(trx, sight.vehicleIds, address)),
    );
    return new FileAnswer(tile, { type: TYPE });
  });

  /** The vehicles whose whole history the viewer can see; null for every vehicle of the account. */
  function sightOf(viewer: Viewer): { readonly key: string; readonly vehicleIds: readonly number[] | null } {
    if (visibility.seesAll(viewer)) return { key: 'all', vehicleIds: null };
    const held = visibility.vehicles(viewer).filter(vehicle => visibility.holdsVehicle(viewer, vehicle));
    const ids = held.map(({ id }) => id);
    const digest = createHash('sha256')
      .update(ids.toSorted((a, b) => a - b).join())
      .digest('base64url');
    return { key: digest, vehicleIds: ids };
  }
}

async function drivenTile(
  trx: AccountTransaction,
  vehicleIds: readonly number[] | null,
  address: TileAddress,
): Promise<Buffer> {
  if (vehicleIds?.length === 0) return Buffer.alloc(0);
  const { settings } = await readAccountSettings(trx);
  const keepDays = Math.min(ROADS_KEPT_DAYS, settings.keepPositionsDays ?? ROADS_KEPT_DAYS);
  const fromDay = firstDayKept(keepDays, Date.now());
  const level = levelOfTile(address.z);
  const { fromX, toX, fromY, toY } = squaresOf(level, address);
  const rows = await trx
    .selectFrom('driven_road')
    .select(['x', 'y', 'cells'])
    .where('level', '=', level.zoom)
    .where('x', '>=', fromX)
    .where('x', '<=', toX)
    .where('y', '>=', fromY)
    .where('y', '<=', toY)
    .$if(vehicleIds !== null, query => query.where(sql<boolean>`vehicle_id = any (${vehicleIds})`))
    .execute();
  const cells: Cells = new Map();
  for (const [i, row] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe();
    for (const [key, cell] of unpackSquare(row.cells, row, fromDay)) cells.set(key, mergeCell(cells.get(key), cell));
  }
  return roadTile(cells, level, address);
}
