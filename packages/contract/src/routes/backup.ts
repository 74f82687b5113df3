import { z } from 'zod';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Settings';

export const BACKUP_KINDS = ['folder', 's3'] as const;
/** What is wrong with a backup, worst first. */
export const BACKUP_TROUBLES = [
  'paused',
  'copy-failed',
  'verify-failed',
  'journal-failed',
  'copy-old',
  'journal-behind',
] as const;
export type BackupTrouble = (typeof BACKUP_TROUBLES)[number];
export const BACKUP_RUNS = ['copy', 'verify'] as const;
export type BackupRun = (typeof BACKUP_RUNS)[number];

const text = z.string().trim().max(500);
const pace = {
  /** Hours from one copy of the database to the next. */
  everyHours: z.int().min(1).max(168),
  keepDays: z.int().min(1).max(3650),
  /** Days from one trial to the next; 0: never. */
  verifyDays: z.int().min(0).max(365),
  withMaps: z.boolean(),
};

/** Of a folder only `folder` counts, of a store (`s3`) the rest. */
export const backupSettingsSchema = z
  .object({
    kind: z.enum(BACKUP_KINDS),
    /** The whole path. */
    folder: text,
    /** The store's address without the bucket. */
    endpoint: text,
    region: text,
    bucket: text,
    /** What the objects' names begin with. */
    prefix: text,
    accessKey: text,
    /** Empty: stays as it is. */
    secretKey: z.string().max(500),
    ...pace,
  })
  .superRefine(({ accessKey, bucket, endpoint, folder, kind, region }, context) => {
    const wrong = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (kind === 'folder') {
      if (!folder.startsWith('/')) wrong('folder', issue('whole-path'));
      return;
    }
    if (!/^https?:\/\/[^/]+\/?$/.test(endpoint)) wrong('endpoint', issue('store-address'));
    for (const [name, value] of Object.entries({ region, bucket, accessKey })) {
      if (value === '') wrong(name, issue('required'));
    }
  });
export type BackupSettingsInput = z.infer<typeof backupSettingsSchema>;

const failure = z.object({ at: z.iso.datetime(), message: z.string() }).nullable();

export const backupSchema = z
  .object({
    /** Null: no backup is set up. The secret key is never shown. */
    settings: z
      .object({
        kind: z.enum(BACKUP_KINDS),
        folder: z.string(),
        endpoint: z.string(),
        region: z.string(),
        bucket: z.string(),
        prefix: z.string(),
        accessKey: z.string(),
        ...pace,
      })
      .nullable(),
    /** `own`: DATABASE_URL; then only files and secrets are backed up. */
    database: z.enum(['embedded', 'own']),
    trouble: z.enum(BACKUP_TROUBLES).nullable(),
    running: z.object({ what: z.enum(BACKUP_RUNS), since: z.iso.datetime() }).nullable(),
    /** The newest whole copy. */
    last: z.object({ at: z.iso.datetime(), tookMs: z.int(), bytes: z.int(), writtenBytes: z.int() }).nullable(),
    /** Everything until then is in the backup. */
    through: z.iso.datetime().nullable(),
    /** The earliest moment that can be restored. */
    from: z.iso.datetime().nullable(),
    storedBytes: z.int().nullable(),
    /** The last trial that found the backup sound. */
    verified: z.object({ at: z.iso.datetime(), tookMs: z.int(), through: z.iso.datetime(), rows: z.int() }).nullable(),
    failures: z.object({ copy: failure, journal: failure, verify: failure }),
  })
  .meta({ id: 'Backup' });
export type Backup = z.infer<typeof backupSchema>;

export const readBackup = defineRoute({
  method: 'GET',
  path: '/api/v1/backup',
  access: 'owners.write',
  summary: "Read how the installation is backed up (operator's account only)",
  tag: TAG,
  response: backupSchema,
});

export const updateBackup = defineRoute({
  method: 'PUT',
  path: '/api/v1/backup',
  access: 'owners.write',
  summary: "Set up where and how often the installation is backed up (operator's account only)",
  tag: TAG,
  body: backupSettingsSchema,
  response: z.object({
    backup: backupSchema,
    /** The backup key, where one was made now: shown only here. */
    key: z.string().nullable(),
  }),
  problems: ['backup-refused'],
});

export const deleteBackup = defineRoute({
  method: 'DELETE',
  path: '/api/v1/backup',
  access: 'owners.write',
  summary: "Stop backing up; what is backed up stays where it is (operator's account only)",
  tag: TAG,
  response: backupSchema,
});

export const runBackup = defineRoute({
  method: 'POST',
  path: '/api/v1/backup/run',
  access: 'owners.write',
  summary: "Back up now, or restore the newest backup on trial (operator's account only)",
  tag: TAG,
  body: z.object({ what: z.enum(BACKUP_RUNS) }),
  response: backupSchema,
  problems: ['backup-refused'],
});
