import { listRoster, readCarrier, updateCarrier, updateLogSettings } from '@milepost/contract';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../http/server.ts';
import { by } from '../../audit/by.ts';
import { changeCarrier, readCarrierOf } from './carrier.ts';
import type { LogRoster } from './roster.ts';

/** The carrier's data, and the settings of drivers' logs. */
export function registerLogSettings(http: Http, { db, feed }: Pick<Context, 'db' | 'feed'>, roster: LogRoster): void {
  http.handle(readCarrier, ({ session }) => db.asAccount(session.accountId, readCarrierOf));
  http.handle(updateCarrier, async call => {
    const carrier = await db.asAccount(call.session.accountId, trx => changeCarrier(trx, by(call), call.body));
    await feed.settled();
    return carrier;
  });
  http.handle(listRoster, ({ session }) => roster.list(session));
  http.handle(updateLogSettings, call => roster.change(by(call), Number(call.params.driverId), call.body));
}
