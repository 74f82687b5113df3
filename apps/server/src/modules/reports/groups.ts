import type { ReportGrouping, Settings } from '@milepost/contract';
import type { AccountTransaction } from '../../db/database.ts';
import type { Calendar } from '../history/days/calendar.ts';
import { weekdayOf } from '../history/days/day-sums.ts';
import type { ReportItem } from './report.ts';

export interface Group {
  /** In an address and from run to run: the ID or the first day; empty for rows without one. */
  readonly key: string;
  readonly label: string;
}

/** The first day of the day's group. */
export function bucketsOf(
  calendar: Calendar,
  groupBy: ReportGrouping | null,
  firstWeekday: Settings['firstWeekday'],
): (day: number) => number {
  if (groupBy === 'week') return day => day - ((weekdayOf(day) - (firstWeekday - 1) + 7) % 7);
  if (groupBy === 'month') return day => calendar.numberOf(`${calendar.dateOf(day).slice(0, 7)}-01`);
  return day => day;
}

interface Naming {
  readonly calendar: Calendar;
  readonly bucketOf: (day: number) => number;
  readonly folders: ReadonlyMap<number, string>;
}

export function groupOf(groupBy: ReportGrouping, item: ReportItem, { bucketOf, calendar, folders }: Naming): Group {
  switch (groupBy) {
    case 'vehicle':
      return item.vehicle ? { key: String(item.vehicle.id), label: item.vehicle.name } : NO_GROUP;
    case 'driver': {
      // A trip on which cards changed is its first driver's.
      const [driver] = item.drivers ?? [];
      return driver ? { key: String(driver.id), label: driver.name } : NO_GROUP;
    }
    case 'folder': {
      const id = item.vehicle?.folderId ?? null;
      const name = id === null ? undefined : folders.get(id);
      return id === null || name === undefined ? NO_GROUP : { key: String(id), label: name };
    }
    case 'geofence':
      return item.geofence ? { key: String(item.geofence.id), label: item.geofence.name } : NO_GROUP;
    default: {
      if (item.day === null) return NO_GROUP;
      const date = calendar.dateOf(bucketOf(item.day));
      return { key: date, label: date };
    }
  }
}

const NO_GROUP: Group = { key: '', label: '' };

/** Of a report without groups. */
export const ALL: Group = NO_GROUP;

/** By name or date; what belongs to no group comes last. */
export const compareGroups = (one: Group, other: Group): number =>
  Number(one.key === '') - Number(other.key === '') ||
  one.label.localeCompare(other.label, 'en', { numeric: true, sensitivity: 'base' }) ||
  one.key.localeCompare(other.key);

export async function folderNames(trx: AccountTransaction): Promise<Map<number, string>> {
  const rows = await trx.selectFrom('folder').select(['id', 'name', 'parent_id']).execute();
  const byId = new Map(rows.map(row => [row.id, row]));
  const pathOf = (id: number | null, depth = 0): string[] => {
    const folder = id === null || depth > 64 ? undefined : byId.get(id);
    return folder ? [...pathOf(folder.parent_id, depth + 1), folder.name] : [];
  };
  return new Map(rows.map(({ id }) => [id, pathOf(id).join(' / ')]));
}
