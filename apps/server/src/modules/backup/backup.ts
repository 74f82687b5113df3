import type { BackupTrouble } from '@milepost/contract';
import { Gauge } from 'prom-client';
import { type BackupAgent, createBackupAgent } from '../../backup/agent.ts';
import { changeState, readSettings, readState } from '../../backup/settings.ts';
import { TROUBLE_SENTENCES, troubleOf } from '../../backup/trouble.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { readRecipients } from '../notifications/recipients.ts';
import { registerBackup } from './routes.ts';

const EVERY_SECONDS = 300;
/** The same trouble is written about again after a day. */
const AGAIN_AFTER_MS = 24 * 3_600_000;

/** The installation's backup: its job, its health check, and the email to the owners when something is wrong. */
export function openBackup(http: Http, context: Context): BackupAgent {
  const { config, db, health, jobs, leader, log, metrics } = context;
  const agent = createBackupAgent({ config, pool: db.pool, leader, log: log.child({ part: 'backup' }) });
  registerBackup(http, context, agent);
  const trouble = async (): Promise<BackupTrouble | null> => {
    const [settings, state] = [await readSettings(config.dataDir), await readState(config.dataDir)];
    return troubleOf(settings, state, { isEmbedded: config.databaseUrl === null, nowMs: Date.now() });
  };
  jobs.repeat({
    name: 'backup',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      await agent.runDue();
      await warnOwners(context, await trouble());
    },
  });
  health.register(
    'backup',
    async () => {
      if (!(await readSettings(config.dataDir))) return undefined;
      const found = await trouble();
      return found && TROUBLE_SENTENCES[found];
    },
    'warning',
  );
  new Gauge({
    name: 'milepost_backup_age_seconds',
    help: 'Seconds since the last whole backup; missing where there is none',
    registers: [metrics],
    async collect() {
      this.reset();
      const { last } = await readState(config.dataDir);
      if (last) this.set((Date.now() - last.atMs) / 1000);
    },
  });
  return agent;
}

/** Emails those who own the account that runs the installation, once a day for as long as it lasts. */
export async function warnOwners(
  { config, db, mailer }: Pick<Context, 'config' | 'db' | 'mailer'>,
  trouble: BackupTrouble | null,
): Promise<void> {
  const { dataDir } = config;
  const { warned } = await readState(dataDir);
  if (trouble === null) {
    if (warned) await changeState(dataDir, state => ({ ...state, warned: null }));
    return;
  }
  if (warned?.trouble === trouble && Date.now() - warned.atMs < AGAIN_AFTER_MS) return;
  await changeState(dataDir, state => ({ ...state, warned: { trouble, atMs: Date.now() } }));
  const operators = await db.system.selectFrom('account').select('id').where('operator', '=', true).execute();
  for (const { id } of operators) {
    const owners = await db.system
      .selectFrom('app_user')
      .select('id')
      .where('account_id', '=', id)
      .where('role', '=', 'owner')
      .execute();
    const recipients = await readRecipients(
      db,
      id,
      owners.map(owner => owner.id),
    );
    for (const { address, name } of recipients.values()) {
      const text = `${name},\n\n${TROUBLE_SENTENCES[trouble]}\n\n${config.http.publicUrl}/settings/system\n`;
      mailer.send({ to: address, subject: 'Milepost: the backup needs your attention', text });
    }
  }
}
