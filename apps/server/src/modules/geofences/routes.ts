import {
  createGeofence,
  createGeofenceGroup,
  deleteGeofence,
  deleteGeofenceGroup,
  deleteGeofences,
  importGeofences,
  listGeofenceGroups,
  listGeofences,
  suggestGeofences,
  updateGeofence,
  updateGeofenceGroup,
  updateGeofences,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import type { ReportContext } from '../../ingest/report.ts';
import { by } from '../audit/by.ts';
import { createGeofences } from './geofences.ts';
import { createGeofenceGroups } from './groups.ts';
import { suggestPlaces } from './suggestions.ts';

export function registerGeofences(
  http: Http,
  context: Context,
  organisation: Organisation,
  { placeOf }: Pick<ReportContext, 'placeOf'>,
): void {
  const geofences = createGeofences(context, organisation);
  const groups = createGeofenceGroups(context);

  http.handle(listGeofences, ({ session }) => geofences.list(session));
  http.handle(createGeofence, call => geofences.create(by(call), call.body));
  http.handle(importGeofences, call => geofences.createAll(by(call), call.body.geofences, call.body.groups));
  http.handle(updateGeofence, call => geofences.update(by(call), Number(call.params.id), call.body));
  http.handle(deleteGeofence, async call => {
    await geofences.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(updateGeofences, call => geofences.updateAll(by(call), call.body.ids.map(Number), call.body.change));
  http.handle(deleteGeofences, async call => ({
    deleted: await geofences.removeAll(by(call), call.body.ids.map(Number)),
  }));
  http.handle(suggestGeofences, ({ session }) => suggestPlaces(context, organisation, session, placeOf));
  http.handle(listGeofenceGroups, ({ session }) => groups.list(session.accountId));
  http.handle(createGeofenceGroup, call => groups.create(by(call), call.body));
  http.handle(updateGeofenceGroup, call => groups.update(by(call), Number(call.params.id), call.body));
  http.handle(deleteGeofenceGroup, async call => {
    await groups.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
}
