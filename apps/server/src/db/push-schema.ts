import type { Severity } from '@milepost/contract';
import type { Generated } from 'kysely';

/** The tables of push notifications, as Kysely sees them; part of `schema.ts`. */
export interface PushTables {
  push_key: PushKeyTable;
  push_subscription: PushSubscriptionTable;
  push_delivery: PushDeliveryTable;
  push_outcome: PushOutcomeTable;
}

interface PushKeyTable {
  singleton: Generated<boolean>;
  public_key: Buffer;
  private_key: Buffer;
  created_at: Generated<Date>;
}

export interface PushSubscriptionTable {
  id: Generated<number>;
  account_id: number;
  user_id: string;
  session_id: string | null;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  severities: Severity[];
  user_agent: string | null;
  created_at: Generated<Date>;
  last_sent_at: Date | null;
}

interface PushDeliveryTable {
  id: Generated<string>;
  account_id: number;
  subscription_id: number;
  /** Null for a reminder, which has the last three instead. */
  alert_id: string | null;
  noted_at: Generated<Date>;
  next_at: Generated<Date>;
  tries: Generated<number>;
  reason: Generated<'opened' | 'ruleEscalated' | 'digest' | 'reminder'>;
  driver_id: number | null;
  about: 'certification' | 'proposals' | 'unidentified' | null;
  asked_by: string | null;
}

interface PushOutcomeTable {
  id: Generated<string>;
  account_id: number;
  alert_id: string;
  user_id: string;
  user_agent: string | null;
  reason: 'opened' | 'ruleEscalated';
  /** `quiet`: in the user's quiet hours. `limit`: beyond their alerts a day, so it is counted in the next digest. */
  outcome: 'sent' | 'failed' | 'quiet' | 'limit';
  noted_at: Date;
  ended_at: Date;
}
