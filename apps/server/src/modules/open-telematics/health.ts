import type { otapiHealth, RouteAnswer } from '@milepost/contract';
import type { HealthReport } from '../../lifecycle/health.ts';

/** The server’s own checks in the standard’s words. */
export function healthNow(
  { checks, status }: HealthReport,
  providerId: string,
  now: Date,
): RouteAnswer<typeof otapiHealth> {
  const troubles = Object.entries(checks).filter(([, trouble]) => trouble !== 'ok');
  return {
    id: String(now.getTime()),
    providerId,
    dateTime: now.toISOString(),
    serviceStatus:
      status === 'failing'
        ? 'SERVICESTATUS_PARTIAL_OUTAGE'
        : troubles.length > 0
          ? 'SERVICESTATUS_DEGRADED_PERFORMANCE'
          : 'SERVICESTATUS_OPERATIONAL',
    factors: troubles.map(([name, trouble]) => `${name}: ${trouble}`),
  };
}
