import type { annotateRecord, RouteParsed } from '@milepost/contract';
import { UNIDENTIFIED_USER } from '@milepost/eld';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { readCarrierOf } from '../settings/carrier.ts';
import { homeOfTerminal } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { homeOf } from '../store.ts';
import { type LogOwner, writeEntries } from '../write.ts';
import { logRefused } from './refused.ts';

/** Adds a remark to a record, also the carrier’s on unidentified driving (49 CFR 395.32(c)). */
export async function annotate(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: LogRoster,
  { visibility }: Organisation,
  { session, author }: By,
  { log, record, text }: RouteParsed<typeof annotateRecord>['body'],
  now: number,
): Promise<void> {
  const [kind = '', id = ''] = log.split(':');
  const about = await db.asAccount(session.accountId, async trx => {
    if (kind === 'unidentified') {
      const vehicle = visibility.heldVehicle(session, Number(id));
      return { target: { id: vehicle.id, name: vehicle.name }, owner: await ownerOfUnidentified(trx, log) };
    }
    const terms = await roster.held(trx, session, Number(id));
    if (!terms.settings.keepsLog) throw new AppError('not-found');
    const owner: LogOwner = { home: homeOfTerminal(terms.terminal), userName: terms.userName };
    return { target: { id: terms.driverId, name: terms.name }, owner };
  });
  const written = await writeEntries(
    db,
    session.accountId,
    [{ action: 'annotate', log, by: session.userId, record, annotation: text }],
    () => about.owner,
    now,
    trx =>
      audit(trx, author, {
        action: 'log.annotated',
        target: about.target,
        changes: [{ field: 'note', from: null, to: text }],
      }),
  );
  if (!written.ok) throw logRefused(written.refusal);
  await feed.settled();
}

/** Unidentified driving is kept in the carrier’s first terminal’s time, or the one that its log has named. */
async function ownerOfUnidentified(trx: AccountTransaction, log: string): Promise<LogOwner> {
  const { terminals } = await readCarrierOf(trx);
  const [terminal] = terminals;
  const home = (await homeOf(trx, log)) ?? (terminal && homeOfTerminal(terminal));
  if (!home) throw new Error('A carrier has a terminal.');
  return { home, userName: UNIDENTIFIED_USER.userName };
}
