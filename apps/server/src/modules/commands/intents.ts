import { newCommandSchema } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { CommandIntents } from '../../realtime/command-intents.ts';
import type { Author } from '../audit/audit.ts';
import type { Commands } from './service.ts';

const MAX_BYTES = 4096;
/** The action alone [R7.34], or an object with whatever a call of `POST command` takes besides the IMEI. */
const objectSchema = newCommandSchema.omit({ imei: true });

export function createIntents(commands: Pick<Commands, 'ask'>): CommandIntents {
  return {
    take: async (session, imei, payload, address) => {
      const wanted = newCommandSchema.safeParse({ ...intentIn(payload), imei });
      if (!wanted.success) throw new AppError('invalid-input');
      const { accountId, userId, userName, kind } = session;
      const via = kind === 'api-token' ? 'api-token' : 'session';
      const author: Author = { accountId, userId, userName, via, address };
      await commands.ask({ session, author }, wanted.data);
    },
  };
}

function intentIn(payload: Buffer): z.infer<typeof objectSchema> | null {
  if (payload.length > MAX_BYTES) return null;
  const text = payload.toString('utf8').trim();
  return objectSchema.safeParse(text.startsWith('{') ? parsed(text) : { action: text }).data ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
