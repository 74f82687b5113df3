import {
  createVehicle,
  deleteVehicle,
  exportVehicles,
  importVehicles,
  listRefusedFrames,
  listRefusedReports,
  listUnknownFrames,
  listUnknownTrackers,
  listVehicles,
  readUnknownFrame,
  readVehicle,
  renewDeviceKey,
  type TrackerProtocol,
  updateVehicle,
  updateVehicles,
} from '@milepost/contract';
import { explainFrame } from '@milepost/decoders';
import type { Selectable } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { exportVehiclesCsv } from './export.ts';
import { importVehiclesCsv } from './import.ts';
import { refusedFrames, refusedReports } from './refused.ts';
import { createVehicles, type VehicleParts } from './service.ts';

/** The number of unknown trackers listed, newest first, so that made-up IMEIs can't flood the list. */
const UNKNOWN_TRACKERS = 500;
const UNKNOWN_FRAMES = 500;

export function registerVehicles(http: Http, context: Context, parts: VehicleParts): void {
  const vehicles = createVehicles(context, parts);

  http.handle(listVehicles, ({ session }) => vehicles.list(session), { isLarge: true });
  http.handle(readVehicle, ({ session, params }) => vehicles.read(session, Number(params.id)));
  http.handle(createVehicle, call => vehicles.create(by(call), call.body));
  http.handle(updateVehicle, call => vehicles.update(by(call), Number(call.params.id), call.body));
  http.handle(updateVehicles, async call => ({ changed: await vehicles.updateMany(by(call), call.body) }));
  http.handle(deleteVehicle, async call => {
    await vehicles.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(renewDeviceKey, async call => ({
    deviceKey: await vehicles.renewKey(by(call), Number(call.params.id)),
  }));
  http.handle(importVehicles, call =>
    importVehiclesCsv(context, { ...parts, vehicles }, by(call), call.body, call.query.dryRun === 'true'),
  );
  http.handle(
    exportVehicles,
    async ({ session, query }) => {
      const csv = await exportVehiclesCsv(context, vehicles, session, query.ids?.split(',') ?? null);
      return new FileAnswer(csv, { type: 'text/csv; charset=utf-8', saveAs: 'vehicles.csv' });
    },
    { isLarge: true },
  );
  http.handle(listUnknownTrackers, ({ session }) => unknownTrackers(context, session.accountId));
  http.handle(listRefusedReports, ({ session }) => refusedReports(context, parts, session));
  http.handle(listRefusedFrames, ({ session, params }) => refusedFrames(context, parts, session, Number(params.id)));
  http.handle(listUnknownFrames, ({ session }) => unknownFrames(context, session.accountId));
  http.handle(readUnknownFrame, async ({ session, params }) => {
    await asOperator(context, session.accountId);
    const { system } = context.db;
    const row = await system
      .selectFrom('unknown_frame')
      .selectAll()
      .where('id', '=', Number(params.id))
      .executeTakeFirst();
    if (!row) throw new AppError('not-found');
    return { ...toUnknownFrame(row), parts: [...explainFrame(row.protocol, row.frame)] };
  });
}

/** Unknown trackers belong to no account, so only the operator's account sees them. */
async function asOperator({ db }: Context, accountId: number): Promise<void> {
  const account = await db.asAccount(accountId, trx => trx.selectFrom('account').select('operator').executeTakeFirst());
  if (!account?.operator) throw new AppError('not-allowed');
}

async function unknownTrackers(context: Context, accountId: number) {
  await asOperator(context, accountId);
  const { db } = context;
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

async function unknownFrames(context: Context, accountId: number) {
  await asOperator(context, accountId);
  const rows = await context.db.system
    .selectFrom('unknown_frame')
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(UNKNOWN_FRAMES)
    .execute();
  return rows.map(toUnknownFrame);
}

function toUnknownFrame(row: Selectable<Database['unknown_frame']>) {
  return {
    id: String(row.id),
    protocol: row.protocol as TrackerProtocol,
    imei: row.imei,
    remoteAddress: row.remote_address,
    receivedAt: row.received_at.toISOString(),
    code: row.code,
    at: row.at,
    frame: row.frame.toString('hex'),
    length: row.length,
  };
}
