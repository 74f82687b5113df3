import { type AuditAction, commandKind } from '@milepost/contract';
import { Counter } from 'prom-client';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Directory } from '../../fleet/directory.ts';
import { type Author, audit, type Change, systemAuthor } from '../audit/audit.ts';
import type { CommandQueue } from './command-queue.ts';
import { after, type CommandRecord, type StepDetails, toCommand, withEffect } from './record.ts';
import { findRecord, writeStep } from './store.ts';
import { type CommandEvent, isOpen } from './transitions.ts';

export interface StepsParts {
  readonly directory: Pick<Directory, 'findById'>;
  readonly now: () => number;
}

export interface StepOptions extends Partial<StepDetails> {
  readonly change?: Partial<CommandRecord>;
  /** Done in the same transaction, before the step; what it throws undoes both. */
  readonly first?: (trx: AccountTransaction) => Promise<void>;
  /** The user who did it; the server itself if missing. */
  readonly author?: Author;
}

/** Steps that commands take: written first, with the audit log, then known in memory, then told. */
export interface Steps {
  /** One that is new, and written down already. */
  asked(queue: CommandQueue, record: CommandRecord): void;
  /** The database may know better of one: it is as it says there. */
  readAgain(queue: CommandQueue, record: CommandRecord): Promise<void>;
  /** The command after the step. Null when it took none: the event is no news, or the row is gone. */
  take(
    queue: CommandQueue,
    record: CommandRecord,
    event: CommandEvent,
    options?: StepOptions,
  ): Promise<CommandRecord | null>;
  decideEffect(queue: CommandQueue, record: CommandRecord, effect: 'seen' | 'not-seen'): Promise<void>;
  /** The rows were deleted with their vehicle; announces the end of open ones and writes the audit log. */
  vehicleGone(queue: CommandQueue): Promise<void>;
}

export function createSteps({ db, log, metrics, signals }: Context, { directory, now }: StepsParts): Steps {
  const counted = new Counter({
    name: 'milepost_command_steps_total',
    help: 'Steps that commands took',
    labelNames: ['category', 'state', 'reason'],
    registers: [metrics],
  });
  const nameOf = ({ vehicleId, imei }: CommandRecord): string => directory.findById(vehicleId)?.name ?? imei;

  const told = (queue: CommandQueue, record: CommandRecord): void => {
    queue.put(record);
    tell(record);
  };
  const tell = (record: CommandRecord): void => {
    const { state, reason } = record.steps.at(-1) ?? {};
    counted.inc({ category: commandKind(record.action).category, state: state ?? '', reason: reason ?? '' });
    const { accountId, vehicleId } = record;
    signals.emit('command-changed', { accountId, vehicleId, command: toCommand(record, nameOf(record)) });
  };

  const auditRecordOf = (before: CommandRecord, next: CommandRecord, action: AuditAction) => ({
    action,
    target: { id: next.vehicleId, name: nameOf(next) },
    changes: changesOf(before, next),
  });

  /** The row went with its vehicle, whatever else was about to end it. If the account is gone, nobody is left to notify. */
  const gone = async (queue: CommandQueue, record: CommandRecord): Promise<void> => {
    queue.drop(record.id);
    const next = after(record, 'vehicleGone', { at: now() });
    if (!next) return;
    const entry = auditRecordOf(record, next, 'command.ended');
    const isAccountThere = await db.asAccount(record.accountId, async trx => {
      if (!(await trx.selectFrom('account').select('id').where('id', '=', record.accountId).executeTakeFirst()))
        return false;
      await audit(trx, systemAuthor(record.accountId), entry);
      return true;
    });
    if (isAccountThere) tell(next);
  };

  /** The database knows better: a write may have gone through though its answer was lost, or the vehicle is gone. */
  const readAgain = async (queue: CommandQueue, record: CommandRecord): Promise<void> => {
    const actual = await db.asAccount(record.accountId, trx => findRecord(trx, record.id));
    if (actual) queue.put(actual);
    else await gone(queue, record);
  };

  const take: Steps['take'] = async (queue, record, event, { change, author, first, ...happening } = {}) => {
    const next = after(record, event, { at: now(), ...happening }, change);
    if (!next) return null;
    const action = auditedAs(record, next, event);
    const isWritten = await db.asAccount(record.accountId, async trx => {
      await first?.(trx);
      if (!(await writeStep(trx, record, next))) return false;
      if (action) await audit(trx, author ?? systemAuthor(record.accountId), auditRecordOf(record, next, action));
      return true;
    });
    if (isWritten) {
      told(queue, next);
      return next;
    }
    await readAgain(queue, record);
    const actual = queue.find(record.id);
    // Another server has noted something of it: what it is for is as it was.
    if (
      actual &&
      actual.state === record.state &&
      actual.sent === record.sent &&
      actual.steps.length !== record.steps.length
    ) {
      return take(queue, actual, event, { change, author, first, ...happening });
    }
    log.info({ command: record.id, event }, 'A command had changed before its next step');
    return null;
  };

  return {
    asked: (queue, record) => {
      if (!queue.find(record.id)) queue.put(record);
      tell(record);
    },
    readAgain,
    take,
    decideEffect: async (queue, record, effect) => {
      const next = withEffect(record, effect, now());
      if (!next) return;
      const isWritten = await db.asAccount(record.accountId, trx => writeStep(trx, record, next));
      if (isWritten) told(queue, next);
      else await readAgain(queue, record);
    },
    vehicleGone: async queue => {
      for (const record of queue.all()) await gone(queue, record);
    },
  };
}

/** How the audit log calls a step; null for those that are only stations on the way. */
function auditedAs(before: CommandRecord, next: CommandRecord, event: CommandEvent): AuditAction | null {
  if (event === 'published' || event === 'publishedAgain') return 'command.sent';
  if (event === 'heldBack') return 'command.held-back';
  if (event === 'agreed') return 'command.agreed';
  if (event === 'declined') return 'command.declined';
  return isOpen(next.state) || before.state === next.state ? null : 'command.ended';
}

function changesOf(before: CommandRecord, next: CommandRecord): Change[] {
  const { reason = null, note = null } = next.steps.at(-1) ?? {};
  return [
    { field: 'command', from: null, to: next.action },
    { field: 'state', from: before.state, to: next.state },
    ...(reason === null ? [] : [{ field: 'reason', from: null, to: reason }]),
    ...(note === null ? [] : [{ field: 'note', from: null, to: note }]),
  ];
}
