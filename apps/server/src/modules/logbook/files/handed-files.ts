import { createHash, randomBytes } from 'node:crypto';
import type { handOverFile, MailFailure, RouteAnswer } from '@milepost/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import { FileAnswer } from '../../../http/file-answer.ts';
import type { By } from '../../audit/by.ts';
import { readAccountSettings } from '../../tenancy/settings.ts';
import { iso } from '../days/shown.ts';
import type { LogFiles } from './log-files.ts';

const HOUR_MS = 3_600_000;
/** How long an officer can take the file with its QR code. */
const LINK_MS = HOUR_MS;
/** Emails that a driver can have sent in an hour. */
const MAILS_AN_HOUR = 10;

const MAIL_TEXTS = {
  'en-US': {
    subject: 'Driver’s log: preview of an ELD output file',
    text: (driver: string, comment: string) =>
      `${driver} sends you the output file of their log.${comment && ` Comment: ${comment}.`}\n\nMilepost is not a registered ELD. The file is a preview, and was not transferred to the FMCSA.\n`,
  },
  es: {
    subject: 'Bitácora del conductor: vista previa de un archivo de salida ELD',
    text: (driver: string, comment: string) =>
      `${driver} le envía el archivo de salida de su bitácora.${comment && ` Comentario: ${comment}.`}\n\nMilepost no es un ELD registrado. El archivo es una vista previa y no se transfirió a la FMCSA.\n`,
  },
  fr: {
    subject: 'Journal du conducteur : aperçu d’un fichier de sortie ELD',
    text: (driver: string, comment: string) =>
      `${driver} vous envoie le fichier de sortie de son journal.${comment && ` Commentaire : ${comment}.`}\n\nMilepost n’est pas un ELD homologué. Le fichier est un aperçu et n’a pas été transféré à la FMCSA.\n`,
  },
} as const;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What a driver gives an officer: the output file itself, a link to it as a QR code, or an email. */
export function createHandedFiles({ db, mailer }: Pick<Context, 'db' | 'mailer'>, files: LogFiles) {
  const mails = new RateLimiterMemory({ points: MAILS_AN_HOUR, duration: 3600 });
  return {
    handOver: async (by: By, comment: string, now: number): Promise<RouteAnswer<typeof handOverFile>> => {
      const token = randomBytes(24).toString('base64url');
      const until = new Date(now + LINK_MS);
      const made = await files.makeOutputFile(by, { comment }, now, { hash: hashOf(token), until });
      return { id: made.id, fileName: made.fileName, text: made.text, token, expiresAt: iso(until.getTime()) };
    },

    /** For anyone with the QR code, without a session. */
    read: async (token: string, now: number): Promise<FileAnswer> => {
      const row = await db.system
        .updateTable('log_export')
        .set(eb => ({ taken_at: eb.fn.coalesce('taken_at', eb.val(new Date(now))) }))
        .where('token_hash', '=', hashOf(token))
        .where('token_until', '>', new Date(now))
        .returning(['file_name', 'content'])
        .executeTakeFirst();
      if (!row?.content) throw new AppError('not-found');
      return new FileAnswer(row.content, { type: 'text/csv', saveAs: row.file_name });
    },

    /** Sends a file that the caller made of their own log. */
    mail: async ({ session }: By, id: string, to: string): Promise<'sent' | MailFailure> => {
      const { accountId, userId } = session;
      const { file, language } = await db.asAccount(accountId, async trx => {
        const file = await trx
          .selectFrom('log_export')
          .select(['driver_name', 'file_name', 'content', 'comment'])
          .where('id', '=', id)
          .where('made_by', '=', userId)
          .where('at_roadside', '=', true)
          .executeTakeFirst();
        if (!file?.content) throw new AppError('not-found');
        return { file, language: (await readAccountSettings(trx)).settings.language };
      });
      await mails.consume(userId).catch((refusal: unknown) => {
        throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
      });
      const { subject, text } = MAIL_TEXTS[language];
      const outcome = await mailer.deliver({
        ...{ to, subject, text: text(file.driver_name, file.comment) },
        attachment: { name: file.file_name, content: file.content ?? '', type: 'text/csv' },
      });
      if (outcome === 'sent') {
        await db.asAccount(accountId, trx =>
          trx.updateTable('log_export').set({ mailed_to: to }).where('id', '=', id).execute(),
        );
      }
      return outcome;
    },
  };
}
