import type { Databases } from '../../apps/server/src/db/database.ts';
import type { Compared } from './compare.ts';
import type { MonthFleet } from './fleet.ts';

const AROUND_MS = 90 * 60_000;

/**
 * What explains the differences: what the driver entered around the first one and how it was answered, what their log
 * has, and what trackers reported. Errors of a killed server don't repeat, so this prints them while the data is there.
 */
export async function aroundFindings(
  { pool }: Databases,
  { fleet, beginMs }: { readonly fleet: MonthFleet; readonly beginMs: number },
  findings: Compared['findings'],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { differences, who } of findings) {
    const first = /\d\d-\d\d \d\d:\d\d:\d\d/.exec(differences[0] ?? '')?.[0];
    const driverId = fleet.drivers[Number(/^driver (\d+)$/.exec(who)?.[1])]?.id;
    if (!first || driverId === undefined) continue;
    const inYear = (year: number) => Date.parse(`${year}-${first.replace(' ', 'T')}Z`);
    const year = new Date(beginMs).getUTCFullYear();
    const at = inYear(year) < beginMs ? inYear(year + 1) : inYear(year);
    const span = [new Date(at - AROUND_MS), new Date(at + AROUND_MS)];
    const rows = await pool.query<{ line: string }>(
      `with entered as (select * from duty_input where driver_id = $3 and at between $1 and $2)
      select line from (
        select at, concat_ws(' ', at, 'entered', action, vehicle_id, 'came', received_at, refusal, answered_at,
          case when jsonb_typeof(terms) = 'object' then terms - 'mayIndicate' else terms end) as line
        from entered
        union all
        select to_timestamp((entry::jsonb #>> '{event,at}')::float8 / 1000), concat_ws(' ',
          to_timestamp((entry::jsonb #>> '{event,at}')::float8 / 1000), 'log', position, action, 'recorded', recorded_at,
          entry::jsonb #>> '{event,type}', entry::jsonb #>> '{event,code}', entry::jsonb #>> '{event,origin}', device,
          entry::jsonb #>> '{event,annotation}', 'id', id)
        from duty_entry where log = 'driver:' || $3
          and (entry::jsonb #>> '{event,at}')::float8 / 1000 between extract(epoch from $1) and extract(epoch from $2)
        union all
        select to_timestamp((about.entry::jsonb #>> '{event,at}')::float8 / 1000), concat_ws(' ',
          to_timestamp((about.entry::jsonb #>> '{event,at}')::float8 / 1000), 'log', later.position, later.action,
          'recorded', later.recorded_at, 'of position', about.position)
        from duty_entry later join duty_entry about on about.log = later.log
          and about.id::text in (later.entry::jsonb ->> 'record', later.entry::jsonb ->> 'replaces')
        where later.log = 'driver:' || $3 and later.action in ('retract', 'edit')
          and (about.entry::jsonb #>> '{event,at}')::float8 / 1000 between extract(epoch from $1) and extract(epoch from $2)
        union all
        select fix_at, concat_ws(' ', fix_at, 'tracker', vehicle_id, 'came', received_at, speed, late, doubts)
        from position where fix_at between $1 and $2
          and vehicle_id in (select vehicle_id from entered)
        union all
        select now(), concat_ws(' ', 'fold', vehicle_id, fix_through, input_through, next_at, state -> 'recorder')
        from recorder_fold where vehicle_id in (select vehicle_id from entered)
      ) as lines order by at`,
      [...span, driverId],
    );
    lines.push(`${who}: ${differences.join(', ')}`, ...rows.rows.map(({ line }) => line));
  }
  return lines;
}
