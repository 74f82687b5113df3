import { may, SUBSCRIPTION_DAYS } from '@milepost/contract';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { tasksOfDriver } from '../tasks/store.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import type { CalendarEvent } from './ics.ts';
import type { OwnedCalendar } from './owner.ts';
import { WORDS } from './words.ts';

const DAY_MS = 86_400_000;
/** What is long over leaves the calendar. */
const KEPT_DAYS = 60;
/** Of a task that says only when it is due by, or from. */
const TASK_MS = 3_600_000;

interface EventParts extends Organisation {
  /** Makes IDs of events unique in the world (RFC 7986 section 5.3). */
  readonly host: string;
  readonly baseUrl: string;
}

/** What a calendar’s user sees now, and only that. */
export async function eventsOf(
  trx: AccountTransaction,
  calendar: OwnedCalendar,
  parts: EventParts,
  nowMs: number,
): Promise<CalendarEvent[]> {
  const { settings } = await readAccountSettings(trx);
  const words = WORDS[calendar.language ?? settings.language];
  const since = new Date(nowMs - KEPT_DAYS * DAY_MS);
  const shows = (part: (typeof calendar.parts)[number]): boolean => calendar.parts.includes(part);
  return [
    ...(shows('documents') ? await documents() : []),
    ...(shows('subscriptions') ? await subscriptions() : []),
    ...(shows('tasks') ? await tasks() : []),
  ];

  async function documents(): Promise<CalendarEvent[]> {
    const { directory, roster, visibility } = parts;
    const { viewer } = calendar;
    const own = roster.driverOfUser(viewer.accountId, viewer.userId);
    const vehicleOf = (id: number | null) => {
      const vehicle = id === null ? null : directory.findById(id);
      return may(viewer, 'vehicles.read') && visibility.sees(viewer, vehicle) ? vehicle : null;
    };
    const driverOf = (id: number | null) => {
      const driver = id === null ? null : roster.driver(viewer.accountId, id);
      if (!driver) return null;
      const isSeen = may(viewer, 'drivers.read') && visibility.seesDriver(viewer, driver);
      return isSeen || driver.id === own?.id ? driver : null;
    };
    const rows = await trx
      .selectFrom('document')
      .select(['id', 'vehicle_id', 'driver_id', 'title', 'notes', 'expires_on', 'created_at'])
      .where('expires_on', 'is not', null)
      .where(sql<boolean>`expires_on >= ${since}::date`)
      .orderBy('expires_on')
      .orderBy('id')
      .execute();
    const licences = await trx
      .selectFrom('driver')
      .select(['id', 'licence_expires_on', 'created_at'])
      .where('archived', '=', false)
      .where(sql<boolean>`licence_expires_on >= ${since}::date`)
      .orderBy('id')
      .execute();
    return [
      ...rows.flatMap(({ created_at, driver_id, expires_on, id, notes, title, vehicle_id }): CalendarEvent[] => {
        const vehicle = vehicleOf(vehicle_id);
        const owner = vehicle ?? driverOf(driver_id);
        if (!owner || expires_on === null) return [];
        return [
          {
            uid: `document-${id}@${parts.host}`,
            when: { day: expires_on },
            summary: words.document(title, owner.name),
            description: notes ?? undefined,
            changedAt: created_at,
          },
        ];
      }),
      ...licences.flatMap(({ created_at, id, licence_expires_on }): CalendarEvent[] => {
        const driver = driverOf(id);
        if (!driver || licence_expires_on === null) return [];
        const uid = `license-${id}@${parts.host}`;
        return [{ uid, when: { day: licence_expires_on }, summary: words.licence(driver.name), changedAt: created_at }];
      }),
    ];
  }

  async function subscriptions(): Promise<CalendarEvent[]> {
    const { viewer } = calendar;
    if (!may(viewer, 'subscriptions.read')) return [];
    const rows = await trx.selectFrom('subscription').select(['id', 'imei', 'created_at']).orderBy('id').execute();
    const zone = calendar.timeZone ?? settings.timeZone;
    return rows.flatMap(({ created_at, id, imei }): CalendarEvent[] => {
      const vehicle = parts.directory.findByImei(imei);
      const endsAt = new Date(created_at.getTime() + SUBSCRIPTION_DAYS * DAY_MS);
      if (endsAt < since || !parts.visibility.sees(viewer, vehicle)) return [];
      return [
        {
          uid: `subscription-${id}@${parts.host}`,
          when: { day: dayIn(endsAt, zone) },
          summary: words.subscription(vehicle.name),
          changedAt: created_at,
        },
      ];
    });
  }

  /** Those of the driver whose calendar it is. */
  async function tasks(): Promise<CalendarEvent[]> {
    const { accountId, userId } = calendar.viewer;
    const driver = parts.roster.driverOfUser(accountId, userId);
    if (!driver) return [];
    return (await tasksOfDriver(trx, driver.id, since)).flatMap((row): CalendarEvent[] => {
      const { changed_at, due_from, due_to, id, notes, ref, state, stops, title } = row;
      const from = due_from ?? (due_to && new Date(due_to.getTime() - TASK_MS));
      if (!from) return [];
      const [first] = stops;
      return [
        {
          uid: `task-${id}@${parts.host}`,
          when: { from, to: due_to ?? new Date(from.getTime() + TASK_MS) },
          summary: ref ? `${title} (${ref})` : title,
          description: notes ?? undefined,
          location: first?.name ?? undefined,
          url: `${parts.baseUrl}/eld`,
          isCancelled: ['cancelled', 'declined', 'failed', 'abandoned'].includes(state),
          changedAt: changed_at,
        },
      ];
    });
  }
}

const dayIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
