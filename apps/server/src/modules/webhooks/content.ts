import { type Alert, alertSubject } from '@milepost/contract';

export interface Content {
  readonly id: string;
  readonly createdAt: Date;
  readonly organization: string;
  /** Null for a test. */
  readonly alert: Alert | null;
  /** Of the alert's rule, filled in; null if it has none. */
  readonly message: string | null;
  readonly publicUrl: string;
}

/** The body of a delivery; docs/webhooks.md describes it. */
export function contentOf({ id, createdAt, organization, alert, message, publicUrl }: Content): string {
  return JSON.stringify({
    id,
    type: alert === null ? 'test' : 'alert.opened',
    createdAt: createdAt.toISOString(),
    organization,
    message,
    alert,
    link: alert === null ? `${publicUrl}/settings/webhooks` : linkTo(alert, publicUrl),
  });
}

/** The list of alerts, narrowed to the vehicle, or the task of one without a vehicle, and the kind. */
export function linkTo(alert: Pick<Alert, 'deviceName' | 'kind' | 'task'>, publicUrl: string): string {
  return `${publicUrl}/alerts?${new URLSearchParams({ q: alertSubject(alert), kind: alert.kind })}`;
}
