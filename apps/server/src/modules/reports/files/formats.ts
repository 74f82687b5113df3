import type { ReportFormat } from '@milepost/contract';
import type { FileStyle } from '../reader.ts';
import type { ReportResult } from '../run.ts';
import { csvOf } from './csv.ts';
import { jsonOf } from './json.ts';
import { pdfOf } from './pdf.ts';
import { xlsxOf } from './xlsx.ts';

interface Format {
  readonly type: string;
  readonly write: (result: ReportResult, style: FileStyle) => AsyncIterable<string | Uint8Array>;
}

/** What a report can be written to, and how. */
export const FORMATS: Readonly<Record<ReportFormat, Format>> = {
  csv: { type: 'text/csv', write: csvOf },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: xlsxOf },
  pdf: { type: 'application/pdf', write: pdfOf },
  json: { type: 'application/json', write: jsonOf },
};
