import type { Context } from '../../context.ts';

/**
 * Whether codes and links are logged if no mail can be sent. Anyone who reads the log could sign in, so this is only
 * for demo and development servers.
 */
export const mayLogSecrets = ({ mailer, demo, config }: Pick<Context, 'mailer' | 'demo' | 'config'>): boolean =>
  !mailer.works && (demo !== 'off' || config.development);
