import type { Severity } from '@milepost/contract';
import type { Generated } from 'kysely';

/** The tables of webhooks, as Kysely sees them; part of `schema.ts`. */
export interface WebhookTables {
  webhook: WebhookTable;
  webhook_secret: WebhookSecretTable;
  webhook_delivery: WebhookDeliveryTable;
}

export interface WebhookTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  url: string;
  severities: Severity[];
  kinds: string[] | null;
  is_on: boolean;
  /** It came with an import: off, with the host of its address alone. */
  needs_address: Generated<boolean>;
  created_at: Generated<Date>;
  created_by: string | null;
}

/** Requests can write it and not read it. */
interface WebhookSecretTable {
  webhook_id: number;
  account_id: number;
  secret: string;
}

export interface WebhookDeliveryTable {
  id: Generated<string>;
  account_id: number;
  webhook_id: number;
  alert_id: string | null;
  noted_at: Generated<Date>;
  state: Generated<'waiting' | 'delivered' | 'failed'>;
  next_at: Date | null;
  tries: Generated<number>;
  tried_at: Date | null;
  failure: string | null;
  status: number | null;
  took_ms: number | null;
  answer: string | null;
  body: string | null;
}
