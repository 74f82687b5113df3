import type { ReportCell } from '@milepost/contract';
import type { Asked, Column, Report, ReportItem } from './report.ts';

/** Sums to a thousandth as whole numbers, which are exact in any order. */
const THOUSANDTHS = 1000;

/** The totals of rows: of a group, or of the whole report. */
export class Totals {
  readonly #columns: readonly Column<ReportItem>[];
  readonly #sums = new Map<string, number>();
  #rows: number;

  /** `rows`: those that are counted already. */
  constructor({ columns }: Pick<Report, 'columns'>, rows = 0) {
    this.#columns = columns;
    this.#rows = rows;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Figures are added up, and no row has one. */
  get isUnknown(): boolean {
    return this.#sums.size === 0 && this.#columns.some(({ total }) => total !== undefined);
  }

  add(item: ReportItem, asked: Asked): void {
    this.#rows++;
    for (const { key, of, total } of this.#columns) {
      if (total !== 'sum' && total !== 'max') continue;
      const value = of(item, asked);
      if (typeof value !== 'number') continue;
      const before = this.#sums.get(key);
      if (total === 'sum') this.#sums.set(key, (before ?? 0) + Math.round(value * THOUSANDTHS));
      else this.#sums.set(key, Math.max(before ?? value, value));
    }
  }

  /** In the order of the columns; null where a column has no total, or no row a figure. */
  cells(): ReportCell[] {
    return this.#columns.map(({ key, total }) =>
      total === undefined ? null : typeof total === 'function' ? total(other => this.#of(other)) : this.#of(key),
    );
  }

  /**
   * The mean of a folder's vehicles: `all` has those with rows, `vehicles` how many there are. One whose figure isn't known
   * is left out, one without rows counts as zero.
   */
  static meanCells(report: Pick<Report, 'columns'>, all: readonly Totals[], vehicles: number): ReportCell[] {
    const mean = new Totals(report);
    for (const { key, total } of report.columns) {
      if (total !== 'sum' && total !== 'max') continue;
      const known = all.flatMap(totals => totals.#sums.get(key) ?? []);
      const count = total === 'sum' ? vehicles - (all.length - known.length) : known.length;
      if (count > 0 && known.length > 0) mean.#sums.set(key, known.reduce((sum, value) => sum + value, 0) / count);
    }
    return mean.cells();
  }

  #of(key: string): number | null {
    const sum = this.#sums.get(key);
    if (sum === undefined) return null;
    return this.#columns.find(column => column.key === key)?.total === 'sum' ? sum / THOUSANDTHS : sum;
  }
}
