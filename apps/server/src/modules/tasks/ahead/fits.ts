import type { listTaskFits, RouteParsed, TaskFit } from '@milepost/contract';
import type { Context } from '../../../context.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import type { Workers } from '../../../workers/workers.ts';
import type { Board } from '../../logbook/board/board.ts';
import type { BoardLog } from '../../logbook/board/board-row.ts';
import { readDriverTerms } from '../../logbook/settings/driver-terms.ts';
import { errandsOf } from './errands.ts';
import { type Asked, askOf, byFit, fitOf, type Hours, reason, standingOf, type Whereabouts } from './fit.ts';
import { type Driver, madeLate } from './made-late.ts';
import type { Errand } from './way.ts';

type Wanted = RouteParsed<typeof listTaskFits>['body'];

const MINUTE = 60_000;
/** After this, a vehicle that was driving may be anywhere; one that stood still is taken to stand there for a day. */
const OLD_DRIVING_MS = 20 * MINUTE;
const OLD_STANDING_MS = 24 * 60 * MINUTE;
/** How many drivers are planned for at once. */
const MOST_PLANS = 200;

export interface Fits {
  /** @param seesTasks whether the titles of tasks that become late are answered */
  of(viewer: Viewer, seesTasks: boolean, wanted: Wanted, now: number): Promise<TaskFit[]>;
}

export interface FitsParts {
  readonly organisation: Organisation;
  readonly board: Pick<Board, 'logs'>;
  readonly workers: Workers;
}

/** Who can make a task, by the logs that the board remembers and the vehicles' newest positions. */
export function createFits({ db }: Pick<Context, 'db'>, { organisation, board, workers }: FitsParts): Fits {
  return {
    of: async (viewer, seesTasks, wanted, now) => {
      const { accountId } = viewer;
      const { terms, logs, errands } = await db.asAccount(accountId, async trx => {
        const terms = (await readDriverTerms(trx, null)).filter(
          ({ driverId: id, departmentId, userId, archived }) =>
            !archived && organisation.visibility.seesDriver(viewer, { id, departmentId, userId }),
        );
        const keeping = terms.filter(({ settings }) => settings.keepsLog);
        const logs = await board.logs(trx, accountId, keeping, now);
        return { terms, logs, errands: Map.groupBy(await errandsOf(trx), ({ driverId }) => driverId) };
      });
      const task: Errand = {
        state: 'open',
        dueFrom: wanted.dueFrom ? Date.parse(wanted.dueFrom) : null,
        dueTo: wanted.dueTo ? Date.parse(wanted.dueTo) : null,
        stops: wanted.stops,
        arrivedAt: null,
      };
      const candidates = terms.map(({ driverId, name }): Driver => {
        const log = logs.get(driverId);
        return {
          driver: { id: String(driverId), name },
          hours: hoursOf(log),
          where: whereaboutsOf(organisation, { accountId, driverId, viewer }, log, now),
          errands: (errands.get(driverId) ?? []).filter(({ id }) => String(id) !== wanted.taskId),
        };
      });
      const asked = nearest(candidates.map(one => askOf(one, task, now)));
      const asks = asked.flatMap(one => ('ask' in one ? [one.ask] : []));
      const reached = asks.length === 0 ? [] : await workers.run(accountId, 'reachStops', asks);
      const plans = new Map(candidates.map((one, i) => [one, asked[i]]));
      const able = candidates.filter(one => 'ask' in (plans.get(one) ?? {}));
      const lateOf = await madeLate(asks => workers.run(accountId, 'reachBriefly', asks), able, task, now);
      const span = wanted.duty ? { from: Date.parse(wanted.duty.from), to: Date.parse(wanted.duty.to) } : null;
      let next = 0;
      return candidates
        .map((one, i) => {
          const own = asked[i];
          const standing = standingOf(logs.get(Number(one.driver.id)), span, now);
          if (!own) return undefined;
          const fit = fitOf(one, own, 'ask' in own ? (reached[next++] ?? null) : null, standing);
          const late = lateOf.get(one) ?? [];
          return { ...fit, makesLate: seesTasks ? late : late.map(each => ({ ...each, title: null })) };
        })
        .filter(one => one !== undefined)
        .sort(byFit);
    },
  };
}

/** The plans of the nearest only: each takes some milliseconds of a processor. */
function nearest(asked: readonly Asked[]): Asked[] {
  const far = asked
    .flatMap(one => ('ask' in one ? [one.meters] : []))
    .sort((a, b) => a - b)
    .at(MOST_PLANS);
  return asked.map(one =>
    'ask' in one && far !== undefined && one.meters >= far ? { unknown: reason('far-away') } : one,
  );
}

/** A log without a status says nothing about hours. */
export const hoursOf = (log: BoardLog | undefined): Hours | null =>
  log?.since == null ? null : { log: log.tracker.log, ruleSet: log.ruleSet };

/** Where a driver is: in the vehicle that they are signed in to, or drive by their card or usually. */
export function whereaboutsOf(
  { directory, driving, live, roster, visibility }: Organisation,
  { accountId, driverId, viewer }: { accountId: number; driverId: number; viewer: Viewer | null },
  log: BoardLog | undefined,
  now: number,
): Whereabouts {
  const driver = roster.driver(accountId, driverId);
  const id = log?.vehicleId ?? (driver && driving.vehicleOf(accountId, driver)?.id) ?? null;
  const entry = id === null ? null : directory.findById(id);
  if (entry?.accountId !== accountId || (viewer && !visibility.sees(viewer, entry))) {
    return { vehicle: null, place: null, at: null, isOld: false };
  }
  const state = live.of(entry.id);
  const { place = null, motion = null } = state?.motion ?? {};
  const at = state?.newest?.fixAt ?? null;
  return {
    vehicle: { id: String(entry.id), imei: entry.imei, deviceName: entry.name },
    place: place && { lat: place.lat, lon: place.lon },
    at,
    isOld: at !== null && now - at > (motion === 'moving' ? OLD_DRIVING_MS : OLD_STANDING_MS),
  };
}
