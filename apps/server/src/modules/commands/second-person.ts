import { COMMAND_LIFETIME_S, commandKind } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Session } from '../../http/session.ts';
import type { By } from '../audit/by.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Grants } from './grants.ts';
import type { CommandRecord } from './record.ts';
import { writeSecond } from './store.ts';

export interface SecondPersonParts {
  readonly dispatcher: Pick<Dispatcher, 'decide'>;
  readonly grants: Pick<Grants, 'use'>;
  readonly vehicleOf: (record: CommandRecord) => DirectoryEntry;
  readonly now: () => number;
}

/** What the second person says to a command that waits for one [R7.35]. */
export interface SecondPerson {
  /** Their own grant is used up in the transaction of the step. Answers the command after it has left, or waits. */
  agree(by: By, record: CommandRecord, grant: string): Promise<CommandRecord>;
  decline(by: By, record: CommandRecord, reason: string): Promise<CommandRecord>;
}

/** Throws unless this command waits for a second person, and this session could be theirs. */
export function refuseUnlessSecond(session: Session, record: CommandRecord): void {
  // A program is not a person, and another session of the same user is the same person.
  if (session.kind === 'api-token') throw new AppError('sign-in-needed');
  if (record.createdBy === session.userId) throw new AppError('second-person-is-you');
  if (record.state !== 'awaiting-second') throw new AppError('command-decided');
}

export function createSecondPerson({ dispatcher, grants, vehicleOf, now }: SecondPersonParts): SecondPerson {
  const decided = (record: CommandRecord | null): CommandRecord => {
    if (!record) throw new AppError('command-decided');
    return record;
  };

  return {
    agree: async ({ author, session }, record, grant) => {
      refuseUnlessSecond(session, record);
      const vehicle = vehicleOf(record);
      const { action, id, mode } = record;
      const { userId, userName } = session;
      const lifetimeMs = COMMAND_LIFETIME_S[commandKind(action).category] * 1000;
      return decided(
        await dispatcher.decide(record, 'agreed', {
          by: author.userName,
          author,
          // Two people are what it waited for; its time to leave begins now.
          change: { secondBy: userId, secondByName: userName, expiresAt: now() + lifetimeMs },
          first: async trx =>
            writeSecond(
              trx,
              id,
              session,
              await grants.use(trx, session, { vehicle, action, mode, commandId: id }, grant),
            ),
        }),
      );
    },

    decline: async ({ author, session }, record, reason) => {
      refuseUnlessSecond(session, record);
      return decided(await dispatcher.decide(record, 'declined', { by: author.userName, author, note: reason }));
    },
  };
}
