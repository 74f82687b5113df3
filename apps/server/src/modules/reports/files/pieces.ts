import type { ReportRow } from '@milepost/contract';
import { turn } from '../../../workers/turns.ts';
import type { ReportResult } from '../run.ts';

const ROWS_A_TURN = 200;

/** The rows of a report a few at a time, so that others get their turn between. */
export async function* piecesOf(rows: ReportResult['rows'], total: number): AsyncGenerator<ReportRow[]> {
  for (let at = 0; at < total; at += ROWS_A_TURN) {
    yield rows(at, ROWS_A_TURN);
    await turn();
  }
}
