import type {
  listRefusedFrames,
  listRefusedReports,
  RefusalCause,
  RouteAnswer,
  TrackerProtocol,
} from '@milepost/contract';
import { explainFrame } from '@milepost/decoders';
import type { Context } from '../../context.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { isAllowedAddress } from '../../ingest/allowed-addresses.ts';
import type { VehicleParts } from './service.ts';

type Parts = Pick<VehicleParts, 'directory' | 'visibility'>;

/** Devices whose reports for visible vehicles are refused, without those allowed since. */
export async function refusedReports(
  { db }: Pick<Context, 'db'>,
  { directory, visibility }: Parts,
  viewer: Viewer,
): Promise<RouteAnswer<typeof listRefusedReports>> {
  const rows = await db.asAccount(viewer.accountId, trx =>
    trx.selectFrom('refused_report').selectAll().orderBy('last_seen_at', 'desc').execute(),
  );
  return rows.flatMap(row => {
    const vehicle = directory.findById(row.vehicle_id);
    if (!visibility.sees(viewer, vehicle)) return [];
    const { protocol, trackerAddresses } = vehicle;
    const isAllowed =
      protocol === row.protocol && (row.cause === 'protocol' || isAllowedAddress(trackerAddresses, row.remote_address));
    if (isAllowed) return [];
    return {
      deviceId: String(row.vehicle_id),
      protocol: row.protocol as TrackerProtocol,
      cause: row.cause as RefusalCause,
      remoteAddress: row.remote_address,
      firstSeenAt: row.first_seen_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      times: row.times,
    };
  });
}

/**
 * The last refused reports for a vehicle. None for a viewer who sees it only because of its current driver, since
 * these may be the vehicle's own reports.
 */
export async function refusedFrames(
  { db }: Pick<Context, 'db'>,
  { visibility }: Parts,
  viewer: Viewer,
  vehicleId: number,
): Promise<RouteAnswer<typeof listRefusedFrames>> {
  const vehicle = visibility.vehicle(viewer, vehicleId);
  if (!visibility.holdsVehicle(viewer, vehicle)) return [];
  const rows = await db.asAccount(viewer.accountId, trx =>
    trx.selectFrom('refused_frame').selectAll().where('vehicle_id', '=', vehicle.id).orderBy('id', 'desc').execute(),
  );
  return rows.map(({ cause, frame, length, protocol, received_at: receivedAt, remote_address: remoteAddress }) => ({
    ...{ receivedAt: receivedAt.toISOString(), remoteAddress, length },
    protocol: protocol as TrackerProtocol,
    cause: cause as RefusalCause,
    bytes: frame.toString('hex'),
    parts: [...explainFrame(protocol as TrackerProtocol, frame)],
  }));
}
