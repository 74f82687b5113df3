import type { Context } from '../../context.ts';

/**
 * Whether codes and links go to the log where no mail can be sent: whoever reads the log gets in, so only where there is
 * nothing to protect.
 */
export const mayLogSecrets = ({ mailer, demo, config }: Pick<Context, 'mailer' | 'demo' | 'config'>): boolean =>
  !mailer.works && (demo !== 'off' || config.development);
