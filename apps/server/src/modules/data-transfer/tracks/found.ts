import { type MoveInReport, PROBLEMS_LISTED, type TrackProblem } from '@milepost/contract';
import type { NamedVehicle } from './vehicle-names.ts';

/** Names of vehicles that are listed one by one; memory doesn't grow with a file that has a name in every row. */
const NAMES_LISTED = 1000;

/** What was found in files while they are read. */
export class Found {
  rows = 0;
  accepted = 0;
  duplicates = 0;
  problemCount = 0;
  tables: Record<string, number> | null = null;
  readonly #problems: MoveInReport['problems'] = [];
  readonly #vehicles = new Map<string, { rows: number; readonly vehicle: NamedVehicle | null }>();
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  vehicle(name: string, vehicle: NamedVehicle | null): void {
    const known = this.#vehicles.get(name);
    if (known) known.rows++;
    else if (this.#vehicles.size < NAMES_LISTED) this.#vehicles.set(name, { rows: 1, vehicle });
  }

  time(timeMs: number): void {
    this.#from = Math.min(this.#from, timeMs);
    this.#to = Math.max(this.#to, timeMs);
  }

  problem(file: string, line: number, code: TrackProblem, value: string): void {
    this.problemCount++;
    if (this.#problems.length < PROBLEMS_LISTED) this.#problems.push({ file, line, code, value });
  }

  report(): MoveInReport {
    const { accepted, duplicates, problemCount, rows, tables } = this;
    const iso = (timeMs: number): string | null => (Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : null);
    const vehicles = [...this.#vehicles]
      .map(([name, { rows, vehicle }]) => ({
        ...{ name, rows, vehicleName: vehicle?.name ?? null },
        vehicleId: vehicle ? String(vehicle.id) : null,
      }))
      .sort((one, other) => other.rows - one.rows);
    const counts = { rows, accepted, duplicates, problemCount, tables };
    return { ...counts, from: iso(this.#from), to: iso(this.#to), vehicles, problems: this.#problems };
  }
}
