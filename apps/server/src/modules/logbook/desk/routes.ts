import {
  annotateRecord,
  assignUnidentified,
  certifyRepair,
  dismissSignIn,
  handOverFile,
  listInspections,
  listLogDays,
  listLogExports,
  listMalfunctions,
  listProposals,
  listUnidentified,
  mailHandedFile,
  proposeEdit,
  readAvailability,
  readBoard,
  readHandedFile,
  readLogDay,
  readLogExport,
  readOutputFile,
  readVerifiableLog,
  remindDriver,
  requestCertification,
  withdrawProposal,
} from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Http } from '../../../http/server.ts';
import { by } from '../../audit/by.ts';
import type { DailyFigures } from '../../history/days/daily-figures.ts';
import type { Board } from '../board/board.ts';
import { iso } from '../days/shown.ts';
import { dismissWaiting } from '../duty/waiting.ts';
import { createHandedFiles } from '../files/handed-files.ts';
import { createLogFiles } from '../files/log-files.ts';
import { createPerformance } from '../performance/performance.ts';
import { registerPerformance } from '../performance/routes.ts';
import type { LogRoster } from '../settings/roster.ts';
import { availabilityOf } from './availability.ts';
import { readDay, readDays, withoutRecords } from './days-of-logs.ts';
import { certifyRepairOf, listInspectionsOf } from './inspections.ts';
import { hasLog, readNames, seenLogs } from './log-access.ts';
import { listMalfunctionsOf } from './malfunctions.ts';
import { changeRefused, listProposalsOf, propose, withdraw } from './proposals.ts';
import { annotate } from './remarks.ts';
import { remind, requestCertificationOf } from './reminders.ts';
import type { Unidentified } from './unidentified.ts';

export interface DeskParts {
  readonly roster: LogRoster;
  readonly board: Board;
  readonly unidentified: Unidentified;
  readonly organisation: Organisation;
  readonly figures: Pick<DailyFigures, 'manager'>;
}

/** What the desk reads and writes of drivers’ logs. */
export function registerDesk(
  http: Http,
  context: Context,
  { roster, board, figures, unidentified, organisation }: DeskParts,
): void {
  const { db } = context;
  const { directory } = organisation;
  const files = createLogFiles(context, roster);
  const handed = createHandedFiles(context, files);
  registerPerformance(http, context, roster, createPerformance(organisation, figures));

  http.handle(readBoard, ({ session, query }) =>
    db.asAccount(session.accountId, async trx => {
      const now = Date.now();
      const rows = await board.rows(trx, session, query.drivers?.split(',').map(Number) ?? null, now);
      return { rows, unidentified: await unidentified.summary(trx, session, now), at: iso(now) };
    }),
  );
  http.handle(readLogDay, ({ session, params }) =>
    db.asAccount(session.accountId, async trx => {
      const terms = await roster.seen(trx, session, Number(params.driverId));
      if (!(await hasLog(trx, terms))) throw new AppError('not-found');
      return readDay(trx, terms, params.date, Date.now(), await readNames(trx), log =>
        changeRefused(roster, session, terms, log, params.date),
      );
    }),
  );
  http.handle(listLogDays, ({ session, query }) =>
    db.asAccount(session.accountId, async trx => {
      const ids = query.driverId === undefined ? null : [Number(query.driverId)];
      const drivers = await seenLogs(trx, session, organisation, ids);
      const days = await readDays(trx, drivers, query, Date.now(), await readNames(trx));
      return [...days.values()].flat().map(withoutRecords);
    }),
  );
  http.handle(proposeEdit, async call => propose(context, roster, by(call), call.body, Date.now()));
  http.handle(withdrawProposal, async call => {
    await withdraw(context, roster, by(call), call.params.id, Date.now());
    return { done: true as const };
  });
  http.handle(readAvailability, ({ session, params }) =>
    db.asAccount(session.accountId, async trx => {
      const terms = await roster.seen(trx, session, Number(params.driverId));
      if (!terms.settings.keepsLog) throw new AppError('not-found');
      return availabilityOf(trx, terms, Date.now());
    }),
  );
  http.handle(remindDriver, call => remind(context, { roster, directory }, by(call), call, Date.now()));
  http.handle(dismissSignIn, async call => {
    await dismissWaiting(context, roster, by(call), Number(call.params.driverId), call.body.reason);
    return { done: true as const };
  });
  http.handle(requestCertification, call =>
    requestCertificationOf(context, { roster, directory }, by(call), call.body.driverIds.map(Number), Date.now()),
  );
  http.handle(listProposals, ({ session, query }) =>
    db.asAccount(session.accountId, async trx => {
      const ids = query.driverId === undefined ? null : [Number(query.driverId)];
      const drivers = await seenLogs(trx, session, organisation, ids);
      return listProposalsOf(trx, drivers, Date.now(), await readNames(trx));
    }),
  );
  http.handle(annotateRecord, async call => {
    await annotate(context, roster, organisation, by(call), call.body, Date.now());
    return { done: true as const };
  });

  http.handle(listUnidentified, ({ session }) =>
    db.asAccount(session.accountId, trx => unidentified.list(trx, session, Date.now())),
  );
  http.handle(assignUnidentified, async call => {
    const { vehicleId, record } = call.params;
    const driverId = call.body.driverId === null ? null : Number(call.body.driverId);
    return unidentified.assign(context, by(call), { vehicleId: Number(vehicleId), record, driverId }, Date.now());
  });
  http.handle(listMalfunctions, ({ session }) =>
    db.asAccount(session.accountId, trx => listMalfunctionsOf(trx, session, organisation, Date.now())),
  );

  http.handle(listLogExports, ({ session }) =>
    db.asAccount(session.accountId, async trx =>
      files.list(trx, await seenLogs(trx, session, organisation, null), Date.now()),
    ),
  );
  http.handle(readLogExport, call => files.kept(by(call), call.params.id));
  http.handle(readOutputFile, call => files.outputFile(by(call), call.query, Date.now()));
  http.handle(handOverFile, call => handed.handOver(by(call), call.body.comment, Date.now()));
  http.handle(readHandedFile, ({ params }) => handed.read(params.token, Date.now()));
  http.handle(mailHandedFile, async call => ({
    outcome: await handed.mail(by(call), call.params.id, call.body.to),
  }));
  http.handle(readVerifiableLog, call => files.verifiableLog(by(call), call.query, Date.now()));

  http.handle(listInspections, ({ session }) =>
    db.asAccount(session.accountId, trx => listInspectionsOf(trx, session, organisation, Date.now())),
  );
  http.handle(certifyRepair, call => {
    const asked = { id: call.params.id, repaired: call.body.repaired };
    return certifyRepairOf(context, organisation, by(call), asked, Date.now());
  });
}
