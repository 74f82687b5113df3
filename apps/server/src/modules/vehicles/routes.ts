import {
  createVehicle,
  deleteVehicle,
  importVehicles,
  listUnknownTrackers,
  listVehicles,
  readVehicle,
  renewDeviceKey,
  type TrackerProtocol,
  updateVehicle,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import { AppError } from '../../http/app-error.ts';
import type { Http } from '../../http/server.ts';
import type { LiveStates } from '../../ingest/live.ts';
import type { Directory } from './directory.ts';
import { importVehiclesCsv } from './import.ts';
import { createVehicles } from './service.ts';

/** The trackers seen last; who sprays made-up IMEIs does not make the list longer. */
const UNKNOWN_TRACKERS = 500;

export function registerVehicles(http: Http, context: Context, directory: Directory, live: LiveStates): void {
  const vehicles = createVehicles(context, directory, live);

  http.handle(listVehicles, ({ session }) => vehicles.list(session.accountId));
  http.handle(readVehicle, ({ session, params }) => vehicles.read(session.accountId, Number(params.id)));
  http.handle(createVehicle, ({ session, body }) => vehicles.create(session.accountId, body));
  http.handle(updateVehicle, ({ session, params, body }) =>
    vehicles.update(session.accountId, Number(params.id), body),
  );
  http.handle(deleteVehicle, async ({ session, params }) => {
    await vehicles.remove(session.accountId, Number(params.id));
    return { deleted: true as const, id: params.id };
  });
  http.handle(renewDeviceKey, async ({ session, params }) => ({
    deviceKey: await vehicles.renewKey(session.accountId, Number(params.id)),
  }));
  http.handle(importVehicles, ({ session, query, body }) =>
    importVehiclesCsv(context, vehicles, session.accountId, body, query.dryRun === 'true'),
  );
  http.handle(listUnknownTrackers, ({ session }) => unknownTrackers(context, session.accountId));
}

/** They belong to no account, so only the one that runs the installation sees them. */
async function unknownTrackers({ db }: Context, accountId: number) {
  const account = await db.asAccount(accountId, trx => trx.selectFrom('account').select('operator').executeTakeFirst());
  if (!account?.operator) throw new AppError('not-allowed');
  const rows = await db.system
    .selectFrom('unknown_tracker')
    .selectAll()
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('vehicle').select('vehicle.id').whereRef('vehicle.imei', '=', 'unknown_tracker.imei'))),
    )
    .orderBy('last_seen_at', 'desc')
    .limit(UNKNOWN_TRACKERS)
    .execute();
  return rows.map(row => ({
    imei: row.imei,
    protocol: row.protocol as TrackerProtocol,
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    connections: row.connections,
    remoteAddress: row.remote_address,
  }));
}
