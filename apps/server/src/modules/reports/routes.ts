import { listReports, runReport } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { CATCH_UP_TIMEOUT_MS } from '../history/days/routes.ts';
import { catalogueFor, reportFor } from './catalogue.ts';
import type { ReportParts } from './report.ts';
import { resultOf } from './run.ts';
import { createReportSources } from './sources.ts';

export function registerReports(http: Http, context: Context, parts: ReportParts): void {
  const sources = createReportSources(context, parts);

  http.handle(listReports, ({ session, query }) => catalogueFor(session, query.language));

  http.handle(
    runReport,
    async ({ session, params, query }) => {
      const report = reportFor(session, params.key);
      const { head, rows } = await resultOf(report, { session, query, sources, catchUpMs: CATCH_UP_TIMEOUT_MS });
      return { ...head, rows: rows(query.offset, query.limit) };
    },
    { isLarge: true },
  );
}
