import { DEFAULT_NOTIFICATION_CHOICE, DEFAULT_NOTIFICATION_SETTINGS } from '@milepost/contract';
import { namesNothing, ownThing, type Probes } from './probe.ts';

export const alertProbes: Probes = {
  listAlerts: { call: ({ vehicleId }) => ({ query: { deviceId: vehicleId } }), aboutOthers: 404 },
  readAlertDeliveries: { call: ({ alertId }) => ({ params: { id: alertId } }), aboutOthers: 404 },
  readNotificationSettings: namesNothing,
  updateNotificationSettings: ownThing(() => ({ ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: ['sos'] })),
  sendTestMail: namesNothing,
  readMyNotifications: namesNothing,
  updateMyNotifications: ownThing(() => ({ ...DEFAULT_NOTIFICATION_CHOICE, kinds: ['crash'] })),
  acknowledgeAlerts: { call: ({ alertId }) => ({ body: { ids: [alertId] } }), aboutOthers: 404 },
};
