import type { Context } from '../../context.ts';
import { forgetOld, readTrouble } from './delivery.ts';
import { type PostParts, postMails } from './post.ts';
import { spreadNotices } from './spread.ts';

const LOOK_EVERY_MS = 5000;

export interface Notifications {
  /** Looks from now on by itself. */
  start(): void;
  /** One look at what there is to tell and to send; for tests, at another moment. */
  look(at?: Date): Promise<void>;
  /** Ends once the mail that is under way has. */
  stop(): Promise<void>;
}

/** Alerts on their way out of the product: from the notices beside alerts to the recipients' mailboxes. */
export function openNotifications(context: Context, parts: PostParts): Notifications {
  const { db, health, leader, log } = context;
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();

  /** A mail that was begun and not ended is sent again, so of several servers only the one that leads sends any. */
  const round = async (clock: () => Date): Promise<void> => {
    if (!(await leader.leads())) return;
    await spreadNotices(context, parts, clock());
    // A round takes a while, and a server that hung in the middle of it leads no more.
    await postMails(context, parts, clock, async () => !isStopped && (await leader.leads()));
  };
  const look = (at?: Date): Promise<void> => {
    const looked = looking.then(() => (isStopped ? undefined : round(() => at ?? new Date())));
    looking = looked.catch(() => {});
    return looked;
  };

  context.jobs.repeat({ name: 'old-emails', everySeconds: 3600, run: () => forgetOld(db.system, new Date()) });
  health.register('alert mail', () => readTrouble(db.system), 'warning');
  let timer: NodeJS.Timeout | undefined;
  const lookAgain = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => log.error({ err: error }, 'Could not check for alert emails to send'))
        .finally(lookAgain);
    }, LOOK_EVERY_MS).unref();
  };

  return {
    start: lookAgain,
    look,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
