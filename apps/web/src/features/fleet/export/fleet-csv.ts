import { csvOf } from '../../../format/csv.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import type { ChosenColumn } from '../columns/column-ids.ts';
import { COLUMNS, type Reader } from '../columns/columns.ts';
import type { FleetFacts } from '../facts.ts';
import type { FleetRows } from '../rows/fleet-rows.ts';

interface Seen {
  readonly rows: FleetRows;
  readonly entryOf: (imei: string) => VehicleEntry | undefined;
  readonly columns: readonly ChosenColumn[];
  readonly facts: FleetFacts;
  readonly reader: Reader;
  /** First line of the file: the time, the number of vehicles and the time zone. */
  readonly title: (vehicles: number) => string;
  /** What rows are grouped by, and the name of each group; null if rows aren't grouped. */
  readonly group: { readonly head: string; readonly nameOf: (name: string | null) => string } | null;
  /** Export only these vehicles; null exports all shown. */
  readonly only: ReadonlySet<string> | null;
}

/** Exactly the table on screen, with the same columns and order of rows, plus the time of each row. */
export function fleetCsv({ rows, entryOf, columns, facts, reader, title, group, only }: Seen): string {
  const { t, system } = reader;
  const heads = columns.map(({ id }) =>
    id === 'speed' ? t('columns.speedIn', { unit: COLUMNS.speed.head(t, system) }) : COLUMNS[id].head(t, system),
  );
  const lines = [[...(group ? [group.head] : []), ...heads, t('export.fixAt'), t('export.heardAt')]];
  // A vehicle with two tags is in two groups; export it once.
  const written = new Set<string>();
  for (const { name, imeis } of rows.groups) {
    for (const imei of imeis) {
      const entry = entryOf(imei);
      if (!entry || (only && !only.has(imei))) continue;
      written.add(imei);
      lines.push([
        ...(group ? [group.nameOf(name)] : []),
        ...columns.map(({ id }) => COLUMNS[id].text(entry, facts, reader)),
        isoOf(entry.fixMs),
        isoOf(entry.heardMs),
      ]);
    }
  }
  return csvOf([[title(written.size)], ...lines]);
}

const isoOf = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());
