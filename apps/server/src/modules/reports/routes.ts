import {
  cancelReportRun,
  createReportSchedule,
  deleteReportRun,
  deleteReportSchedule,
  listReportRuns,
  listReportSchedules,
  listReports,
  type ReportRow,
  readReportFile,
  repeatReportRun,
  runReport,
  startEvidencePack,
  startReportRun,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { CATCH_UP_TIMEOUT_MS } from '../history/days/routes.ts';
import { catalogueFor, reportFor } from './catalogue.ts';
import type { ReportParts } from './report.ts';
import { openReportRuns } from './report-runs.ts';
import { resultOf } from './run.ts';
import { openReportSchedules } from './schedules/schedules.ts';
import { createReportSources } from './sources.ts';

export function registerReports(http: Http, context: Context, parts: ReportParts): void {
  const sources = createReportSources(context, parts);

  const runs = openReportRuns(context, sources);

  http.handle(listReportRuns, ({ session }) => runs.list(session));
  http.handle(startReportRun, call => {
    const { key, format, ...query } = call.body;
    return runs.start(by(call), { key, format, query });
  });
  http.handle(startEvidencePack, call => runs.startEvidence(by(call), call.body));
  http.handle(repeatReportRun, call => runs.again(by(call), call.params.id));
  http.handle(cancelReportRun, call => runs.cancel(by(call), call.params.id));
  http.handle(deleteReportRun, async call => {
    await runs.remove(by(call), call.params.id);
    return { ok: true as const };
  });
  http.handle(readReportFile, ({ session, params }) => runs.download(session, params.id));

  const schedules = openReportSchedules(context, sources);
  http.handle(listReportSchedules, ({ session }) => schedules.list(session));
  http.handle(createReportSchedule, call => schedules.create(by(call), call.body));
  http.handle(deleteReportSchedule, async call => {
    await schedules.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });

  http.handle(listReports, ({ session, query }) => catalogueFor(session, query.language));

  http.handle(
    runReport,
    async ({ session, params, query }) => {
      const report = reportFor(session, params.key);
      const { head, rows } = await resultOf(report, { session, query, sources, catchUpMs: CATCH_UP_TIMEOUT_MS });
      const page: ReportRow[] = [];
      for await (const some of rows(query.offset, query.limit)) page.push(...some);
      return { ...head, rows: page };
    },
    { isLarge: true },
  );
}
