import type { Mailer } from '../mail/mailer.ts';

/** What somebody hears of by mail, because it may not have been them (ASVS 5.0 6.3.7). */
const SENTENCES = {
  'password-changed': 'Your password was changed.',
  'email-changed': 'The email address of your account was changed; this mail goes to the one before.',
  'email-change-asked':
    'Mail of your account is to go to another address. It comes here until that address is confirmed; a new password ends the change.',
  'second-factor-removed': 'A second factor of your account was removed.',
  'second-factor-reset': 'All second factors of your account were removed by somebody who manages users.',
} as const;

export interface Addressee {
  readonly displayName: string;
  readonly email: string | null;
}

/** Sends the notice where there is an address and a mail server; nobody waits for it. */
export function sendNotice(mailer: Mailer, to: Addressee, notice: keyof typeof SENTENCES): void {
  if (to.email === null) return;
  const text = `${to.displayName},\n\n${SENTENCES[notice]}\n\nWas that not you? Set a new password at sign-in and tell whoever manages your users.\n`;
  mailer.send({ to: to.email, subject: SENTENCES[notice], text });
}
