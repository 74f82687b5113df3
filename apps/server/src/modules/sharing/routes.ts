import {
  createShare,
  listOwnShares,
  listShares,
  readShared,
  readSharedTrail,
  revokeShare,
  revokeSharesBy,
  updateShare,
  visitShared,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { Places } from '../places/places.ts';
import { createLinks, type LinksParts } from './links.ts';
import { createSharedLinks, type SharedParts } from './shared.ts';
import { createVisitors } from './visitors.ts';

export interface SharingParts extends Organisation {
  readonly places: Places;
  readonly looks: SharedParts['looks'];
  readonly taskOf: LinksParts['taskOf'];
  readonly etaOf: SharedParts['etaOf'];
}

export function registerSharing(http: Http, context: Context, parts: SharingParts): void {
  const { visibility } = parts;
  const links = createLinks(context, parts);
  const desk = createSharedLinks(context, parts);
  const visitors = createVisitors(context.counters, desk);

  http.handle(listShares, async ({ session, query }) => {
    const { deviceId } = query;
    const wanted = deviceId === undefined ? {} : { vehicleId: visibility.vehicle(session, Number(deviceId)).id };
    return { shares: await links.list(session, wanted) };
  });
  http.handle(listOwnShares, async ({ session }) => ({
    shares: await links.list(session, { createdBy: session.userId }),
  }));
  http.handle(createShare, call => links.create(by(call), call.body));
  http.handle(updateShare, async call => ({
    share: await links.update(by(call), Number(call.params.id), call.body),
  }));
  http.handle(revokeShare, async call => ({ share: await links.revoke(by(call), Number(call.params.id)) }));
  http.handle(revokeSharesBy, async call => ({ shares: await links.revokeBy(by(call), call.query.createdBy) }));

  http.handle(readShared, async ({ request }) => ({ shared: await desk.read(await visitors.link(request)) }));
  http.handle(readSharedTrail, async ({ request, params, query }) => {
    const since = query.since === undefined ? null : new Date(query.since);
    return desk.trail(await visitors.link(request), params.key, since);
  });
  http.handle(visitShared, async ({ request }) => {
    const link = await visitors.link(request);
    if (await visitors.counts(link, request)) await desk.countVisit(link);
    return { ok: true as const };
  });
}
