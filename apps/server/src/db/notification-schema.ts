import type { Severity } from '@milepost/contract';
import type { Generated } from 'kysely';

/** The tables of alerts by mail, as Kysely sees them; part of `schema.ts`. */
export interface NotificationTables {
  notification_setting: NotificationSettingTable;
  notification_choice: NotificationChoiceTable;
  alert_notice: AlertNoticeTable;
  alert_mail: AlertMailTable;
  alert_mail_pace: AlertMailPaceTable;
  alert_received: AlertReceivedTable;
}

interface QuietColumns {
  quiet_from: string | null;
  quiet_to: string | null;
  critical_breaks: boolean;
}

export interface NotificationSettingTable extends QuietColumns {
  account_id: number;
  mail: boolean;
  kinds: string[];
  escalate_after_minutes: number | null;
  changed_at: Generated<Date>;
  changed_by: string | null;
}

export interface NotificationChoiceTable extends QuietColumns {
  user_id: string;
  account_id: number;
  kinds: string[] | null;
  escalations: boolean;
  quiet: string;
  daily_limit: number | null;
}

interface AlertNoticeTable {
  alert_id: string;
  account_id: number;
  noted_at: Generated<Date>;
  spread_at: Date | null;
}

interface AlertMailTable {
  id: Generated<string>;
  alert_id: string;
  user_id: string;
  reason: 'opened' | 'escalated' | 'ruleEscalated';
  account_id: number;
  severity: Severity;
  noted_at: Date;
  mail_id: string | null;
  begun_at: Date | null;
  sent_at: Date | null;
  given_up_at: Date | null;
  is_beyond: Generated<boolean>;
}

interface AlertReceivedTable {
  user_id: string;
  alert_id: string;
  account_id: number;
  day: string;
  digest_at: Date | null;
}

interface AlertMailPaceTable {
  user_id: string;
  account_id: number;
  next_at: Date;
  tries: Generated<number>;
  last_sent_at: Date | null;
  last_failure: string | null;
  last_failed_at: Date | null;
}
