import type { Mailer } from '../../mail/mailer.ts';

/** Changes a user is notified of by email, in case they did not make them (ASVS 5.0 6.3.7). */
const SENTENCES = {
  'password-changed': 'Your password was changed.',
  'email-changed': 'The email address of your account was changed. This message goes to your previous address.',
  'email-change-asked':
    'A new email address was requested for your account. This address stays in use until the new one is confirmed. Changing your password cancels the request.',
  'second-factor-removed': 'A second factor was removed from your account.',
  'second-factor-reset': 'A user manager removed all second factors from your account.',
} as const;

export interface Addressee {
  readonly displayName: string;
  readonly email: string | null;
}

/** Sends the notice if there is an address and a mail server, in the background. */
export function sendNotice(mailer: Mailer, to: Addressee, notice: keyof typeof SENTENCES): void {
  if (to.email === null) return;
  const text = `${to.displayName},\n\n${SENTENCES[notice]}\n\nIf you did not do this, reset your password on the sign-in page and tell the person who manages your users.\n`;
  const [subject = ''] = SENTENCES[notice].split(/(?<=\.) /);
  mailer.send({ to: to.email, subject, text });
}
