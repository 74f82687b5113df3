/**
 * Every table that holds something of an account, in the order of an export: each after those that it refers to. A table
 * that is not here fails a test, so that nothing new is left out of "all that the account has" unnoticed.
 */
export const TABLES = {
  folder: { in: 'both' },
  department: { in: 'both' },
  driver: { in: 'both' },
  /** Names of the deleted, which what happened with them keeps. */
  former_driver: { in: 'both' },
  vehicle: { in: 'both', without: ['device_key_hash'] },
  former_vehicle: { in: 'both' },
  document: { in: 'both', without: ['file'] },
  image: { in: 'both' },
  /** Set up again, with a secret of its own; who is who at the provider follows from signing in. */
  sign_on: { in: 'export' },
  sign_on_secret: { in: 'none' },
  sign_on_identity: { in: 'none' },
  sign_on_attempt: { in: 'none' },
  tenant: { in: 'both' },
  account_setting: { in: 'both' },
  /** As far as the importing user could give these rights; people are invited again, and choose new passwords. */
  custom_role: { in: 'both' },
  app_user: { in: 'both', without: ['password_hash'] },
  former_user: { in: 'both' },
  /** Days are counted where they are used. */
  subscription: { in: 'export' },
  saved_view: { in: 'both' },
  view_order: { in: 'both' },
  report_schedule: { in: 'both' },
  /** Off until a user enters its address again: the file has only the host. */
  webhook: { in: 'both', without: ['url'] },
  geofence_group: { in: 'both' },
  geofence: { in: 'both' },
  geofence_vehicle: { in: 'both' },
  rule: { in: 'both' },
  rule_geofence: { in: 'both' },
  rule_vehicle: { in: 'both' },
  task: { in: 'both' },
  task_step: { in: 'both' },
  task_proof: { in: 'both', without: ['content'] },
  /** They keep working for anyone with the link: the file has only the hash of its secret. */
  share_link: { in: 'both' },
  share_link_vehicle: { in: 'both' },
  /** History only: an imported command is never sent. */
  command: { in: 'both', without: ['grant_hash', 'second_grant_hash', 'secrets'] },
  /** What is private stays private; what it hides stays hidden. */
  private_hours: { in: 'both' },
  private_drive: { in: 'both' },
  private_position: { in: 'none' },
  notification_setting: { in: 'both' },
  notification_choice: { in: 'both' },
  alert: { in: 'both' },
  /** Only those that are over: the other server sends what still waits. */
  webhook_delivery: { in: 'both' },
  /** Records name drivers and vehicles in hashed chains: they come only if these keep their IDs. */
  carrier: { in: 'both' },
  log_setting: { in: 'both' },
  duty_entry: { in: 'both' },
  duty_root: { in: 'both' },
  unidentified_assignment: { in: 'both' },
  driver_reminder: { in: 'both' },
  /** Without the one-hour links for roadside inspections. */
  log_export: { in: 'both', without: ['token_hash', 'token_until'] },
  log_declaration: { in: 'both' },
  inspection_report: { in: 'both' },
  inspection_photo: { in: 'both', without: ['content'] },
  /** The import checks each signature. No recorder takes an entry again: its records are already in the log. */
  phone: { in: 'both' },
  duty_input: { in: 'both' },
  duty_signature: { in: 'both' },
  team_request: { in: 'both' },
  driver_span: { in: 'both' },
  /** Follows from the positions and the inputs. */
  duty_waiting: { in: 'none' },
  recorder_fold: { in: 'none' },
  recorder_day: { in: 'none' },
  recorder_late: { in: 'none' },
  performance_weight: { in: 'both' },
  performance_dispute: { in: 'both' },
  coaching_note: { in: 'both' },
  control_rule: { in: 'both' },
  /** Marked as imported, so that no file can claim that something was done here. */
  audit_entry: { in: 'both' },
  look: { in: 'both' },
  private_opening: { in: 'both' },
  position: { in: 'both' },
  /** Exported as the positions they hold. */
  sealed_day: { in: 'none' },
  /** Follows from the positions. */
  vehicle_state: { in: 'none' },
  vehicle_day: { in: 'none' },
  trip_day: { in: 'none' },
  trip_part: { in: 'none' },
  geofence_version: { in: 'none' },
  /** For watchers that were away, for two days. */
  geofence_deleted: { in: 'none' },
  /** Quiet for a while, here: whoever moves decides anew. */
  rule_mute: { in: 'none' },
  vehicle_mute: { in: 'none' },
  rule_fold: { in: 'none' },
  rule_noise_mail: { in: 'none' },
  visit_fold: { in: 'none' },
  visit_day: { in: 'none' },
  visit: { in: 'export' },
  vehicle_day_stale: { in: 'none' },
  day_zone: { in: 'none' },
  /** Which server keeps it here. */
  projection_claim: { in: 'none' },
  vehicle_owner: { in: 'none' },
  tracker_way: { in: 'none' },
  /** What pages and memory follow, for two days. */
  change: { in: 'none' },
  driven_road: { in: 'none' },
  refused_report: { in: 'none' },
  refused_frame: { in: 'none' },
  driven_road_through: { in: 'none' },
  /** On its way out. */
  alert_notice: { in: 'none' },
  alert_mail: { in: 'none' },
  alert_mail_pace: { in: 'none' },
  alert_received: { in: 'none' },
  push_delivery: { in: 'none' },
  push_outcome: { in: 'none' },
  /** Under way here; what came of it is in the commands. */
  job: { in: 'none' },
  command_run_vehicle: { in: 'none' },
  /** Secrets, and what is over within minutes. */
  session: { in: 'none' },
  calendar_link: { in: 'none' },
  totp: { in: 'none' },
  webhook_secret: { in: 'none' },
  push_subscription: { in: 'none' },
  passkey: { in: 'none' },
  recovery_code: { in: 'none' },
  invitation: { in: 'none' },
  email_change: { in: 'none' },
  control_password: { in: 'none' },
  control_try: { in: 'none' },
  control_grant: { in: 'none' },
} as const satisfies Record<string, { readonly in: 'both' | 'export' | 'none'; readonly without?: readonly string[] }>;

export type TableName = keyof typeof TABLES;

export const FORMAT = 'milepost-account';
/** Since version 2 with seals; version 1 is read as well, and is what is converted from elsewhere. */
export const FORMAT_VERSION = 2;
export const UNSEALED_VERSION = 1;
