import { ALL, type Group } from './groups.ts';
import { type Found, type Part, partsOf, type Watched } from './parts.ts';
import type { Asked, Report } from './report.ts';
import { Totals } from './totals.ts';

/** A report whose rows are counted first, and read a vehicle and a day at a time when they are needed. */
export async function counted(report: Report, asked: Asked, { progress, signal }: Watched = {}): Promise<Found> {
  const counts = (await report.counts?.(asked)) ?? new Map<number, number>();
  signal?.throwIfAborted();
  const vehicles = asked.vehicles.filter(({ id }) => (counts.get(id) ?? 0) > 0);
  const countOf = (id: number): number => counts.get(id) ?? 0;
  const groupOf = ({ id, name }: Asked['vehicles'][number]): Group =>
    asked.groupBy === 'vehicle' ? { key: String(id), label: name } : ALL;
  const totalsOf = (rows: number): Totals => new Totals(report, rows);

  async function* read(first: number): AsyncGenerator<Part> {
    for (const [nth, vehicle] of vehicles.entries()) {
      if (nth < first) continue;
      for await (const items of report.read({ ...asked, vehicles: [vehicle] })) {
        signal?.throwIfAborted();
        yield { group: groupOf(vehicle), items };
      }
      await progress?.(nth + 1);
    }
  }

  return {
    groups: vehicles.map(vehicle => ({ group: groupOf(vehicle), totals: totalsOf(countOf(vehicle.id)) })),
    totals: totalsOf(vehicles.reduce((sum, { id }) => sum + countOf(id), 0)),
    vehicles: new Set(vehicles.map(({ id }) => id)),
    pages: (offset, limit) => {
      let [first, rest] = [0, offset];
      for (const { id } of vehicles) {
        if (rest < countOf(id)) break;
        rest -= countOf(id);
        first++;
      }
      return partsOf(read(first), rest, limit);
    },
  };
}
