import type { ReportRow } from '@milepost/contract';
import type { ReportResult } from '../run.ts';

/** All that is known of the report, and its rows by the keys of the columns, in SI units. */
export async function* jsonOf({ head, rows }: ReportResult): AsyncGenerator<string> {
  const { columns, total, totals, previous, groups, ...about } = head;
  const byKey = (cells: ReportRow['cells']) =>
    Object.fromEntries(columns.map(({ key }, index) => [key, cells[index] ?? null]));
  const opening = {
    ...about,
    columns,
    total,
    totals: byKey(totals),
    previous: previous && { total: previous.total, totals: byKey(previous.totals) },
    groups: groups.map(group => ({
      ...{ ...group, totals: byKey(group.totals) },
      folderMean: group.folderMean && byKey(group.folderMean),
    })),
  };
  yield `${JSON.stringify(opening).slice(0, -1)},"rows":[`;
  let separator = '\n';
  for await (const piece of rows()) {
    for (const { cells, ...row } of piece) {
      yield `${separator}${JSON.stringify({ ...row, ...byKey(cells) })}`;
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}
