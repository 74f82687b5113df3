import { acknowledgeAlerts, listAlerts } from '@milepost/contract';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { Alerts } from './alerts.ts';

export function registerAlerts(http: Http, alerts: Alerts): void {
  http.handle(listAlerts, ({ session, query }) => alerts.list(session, query));
  http.handle(acknowledgeAlerts, async call => ({ alerts: await alerts.acknowledge(by(call), call.body.ids) }));
  http.onClose(() => alerts.stop());
}
