import { acknowledgeAlerts, listAlerts, readAlertDeliveries } from '@milepost/contract';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { Alerts } from './alerts.ts';

export function registerAlerts(http: Http, alerts: Alerts): void {
  http.handle(listAlerts, ({ session, query }) => alerts.list(session, query));
  http.handle(acknowledgeAlerts, async call => ({ alerts: await alerts.acknowledge(by(call), call.body) }));
  http.handle(readAlertDeliveries, ({ params, session }) => alerts.deliveries(session, params.id));
  http.onClose(() => alerts.stop());
}
