import type { Alert } from '@milepost/contract';

export interface Content {
  readonly id: string;
  readonly createdAt: Date;
  readonly organization: string;
  /** Null for a test. */
  readonly alert: Alert | null;
  readonly publicUrl: string;
}

/** The body of a delivery; docs/webhooks.md describes it. */
export function contentOf({ id, createdAt, organization, alert, publicUrl }: Content): string {
  return JSON.stringify({
    id,
    type: alert === null ? 'test' : 'alert.opened',
    createdAt: createdAt.toISOString(),
    organization,
    alert,
    link: alert === null ? `${publicUrl}/settings/webhooks` : linkTo(alert, publicUrl),
  });
}

/** The list of alerts, narrowed to the vehicle and the kind. */
export function linkTo({ deviceName, kind }: Pick<Alert, 'deviceName' | 'kind'>, publicUrl: string): string {
  return `${publicUrl}/alerts?${new URLSearchParams({ q: deviceName, kind })}`;
}
