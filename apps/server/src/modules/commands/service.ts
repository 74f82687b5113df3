import { randomUUID } from 'node:crypto';
import {
  COMMAND_LIFETIME_S,
  type Command,
  type CommandAction,
  type CommandMode,
  commandKind,
  type confirmControlPassword,
  GRANT_LIFETIME_S,
  type listCommands,
  may,
  type newCommandSchema,
  type RouteAnswer,
  type RouteParsed,
} from '@milepost/contract';
import type { z } from 'zod';
import { AppError, invalidField, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Session } from '../../http/session.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { createDispatcher, type Dispatcher, type DispatcherParts } from './dispatcher.ts';
import { type Grants, purposeOf, type Wanted } from './grants.ts';
import { createMeasures } from './measures.ts';
import { createOffers, type Offers } from './offers.ts';
import { RecentRequests, refuseSoonAfter } from './recent-requests.ts';
import { type CommandRecord, toCommand } from './record.ts';
import type { ControlRules } from './rules.ts';
import { createSecondPerson, refuseUnlessSecond } from './second-person.ts';
import { withoutSecrets } from './secrets.ts';
import { PERMISSION_OF, reaches } from './senders.ts';
import { findRecord, insertCommand, listRecords, readAsked } from './store.ts';
import { modeOf, readParams } from './words.ts';

export type NewCommandFields = z.output<typeof newCommandSchema>;

export interface CommandParts extends DispatcherParts {
  readonly grants: Grants;
  readonly rules: Pick<ControlRules, 'asksFor' | 'others'>;
}

/** Commands requested by users: checks permission and access to the vehicle, and writes the audit log. */
export interface Commands extends Pick<Offers, 'offer' | 'preview'> {
  list(session: Session, query: RouteParsed<typeof listCommands>['query']): Promise<Command[]>;
  read(session: Session, id: string): Promise<Command>;
  /** With an id chosen before, it can be told whether it was asked for already. */
  ask(by: By, wanted: NewCommandFields, id?: string): Promise<Command>;
  /** As the second person. */
  agree(by: By, id: string, grant: string): Promise<Command>;
  decline(by: By, id: string, reason: string): Promise<Command>;
  cancel(by: By, id: string): Promise<Command>;
  confirm(
    by: By,
    body: RouteParsed<typeof confirmControlPassword>['body'],
  ): Promise<RouteAnswer<typeof confirmControlPassword>>;
  readonly dispatcher: Dispatcher;
}

/** Nobody needs more at once, and a tracker that sleeps must not gather them without end. */
const OPEN_AT_MOST = 20;
const FULL_FOR_MS = 60_000;
/** Problems that are a refused attempt; all others are mistakes. */
const ATTEMPTS: ReadonlySet<string> = new Set([
  'not-allowed',
  'grant-needed',
  'grant-refused',
  'interlock-fails',
  'no-second-person',
  'second-person-is-you',
]);

export function createCommands(context: Context, parts: CommandParts): Commands {
  const { db } = context;
  const { directory, grants, now, rules, visibility } = parts;
  const dispatcher = createDispatcher(context, parts);
  const measures = createMeasures({ ...parts, bus: context.bus });
  const offers = createOffers({ ...parts, measures });
  const { visible, offered } = offers;
  const askedLately = new RecentRequests();
  const vehicleOf = ({ vehicleId }: CommandRecord): DirectoryEntry => {
    const vehicle = directory.findById(vehicleId);
    if (!vehicle) throw new AppError('not-found');
    return vehicle;
  };
  const second = createSecondPerson({ dispatcher, grants, vehicleOf, now });

  const answer = (record: CommandRecord): Command =>
    toCommand(record, directory.findById(record.vehicleId)?.name ?? record.imei);

  const found = async (session: Session, id: string): Promise<CommandRecord> => {
    const record = await db.asAccount(session.accountId, trx => findRecord(trx, id));
    if (!record || !visibility.sees(session, directory.findById(record.vehicleId))) throw new AppError('not-found');
    return record;
  };
  const refuseUnlessMay = (session: Session, vehicle: DirectoryEntry, action: CommandAction): void => {
    const { category } = commandKind(action);
    if (!may(session, PERMISSION_OF[category])) throw new AppError('not-allowed');
    if (!reaches(visibility, session, vehicle, category)) throw new AppError('out-of-scope');
  };
  const refuseUnlessSafe = async (
    vehicle: DirectoryEntry,
    action: CommandAction,
    mode: CommandMode | null,
  ): Promise<void> => {
    if (!commandKind(action).interlock || mode !== 'immediate') return;
    if (!(await measures.of(vehicle)).interlock.holds) throw new AppError('interlock-fails', { vehicle: vehicle.name });
  };

  /** What is written down of it, and whatever stands against it. */
  const judged = async (session: Session, wanted: NewCommandFields) => {
    const vehicle = visible(session, wanted.imei);
    refuseUnlessMay(session, vehicle, wanted.action);
    const offer = offered(vehicle, wanted.action);
    const params = readParams(offer, wanted.params ?? {});
    const mode = modeOf(wanted);
    if (commandKind(wanted.action).category === 'control') {
      if (!wanted.grant) throw new AppError('grant-needed');
      if (!wanted.reason) throw invalidField('reason', 'reason');
    }
    await refuseUnlessSafe(vehicle, wanted.action, mode);
    return { vehicle, params, mode };
  };

  const write = async (by: By, wanted: NewCommandFields, vehicle: DirectoryEntry, record: CommandRecord) => {
    const { session, author } = by;
    const { action, mode } = record;
    await db.asAccount(session.accountId, async trx => {
      if (parts.ways.isShared) {
        const { lastAt, open } = await readAsked(trx, vehicle.id, action);
        if (open >= OPEN_AT_MOST) throw tooMany('too-many-requests', FULL_FOR_MS);
        if (lastAt !== null) refuseSoonAfter(lastAt, action, now());
      }
      const isControl = commandKind(action).category === 'control';
      const opened: Wanted = { vehicle, action, mode, commandId: null };
      const grant = isControl ? await grants.use(trx, session, opened, wanted.grant ?? '') : null;
      await insertCommand(trx, record, grant);
      await audit(trx, author, {
        action: 'command.asked',
        target: { id: vehicle.id, name: vehicle.name },
        changes: Object.entries({ command: action, ...record.params, mode, reason: record.reason }).flatMap(
          ([field, to]) => (to === null ? [] : [{ field, from: null, to }]),
        ),
      });
    });
  };

  const ask = async (by: By, wanted: NewCommandFields, id: string): Promise<Command> => {
    const { vehicle, params, mode } = await judged(by.session, wanted);
    if (dispatcher.openOf(vehicle.id) >= OPEN_AT_MOST) throw tooMany('too-many-requests', FULL_FOR_MS);
    const needsSecond = await rules.asksFor(vehicle, wanted.action, mode, by.session.userId);
    const unclaim = askedLately.claim(vehicle.id, wanted.action, now());
    const record = newRecord(by, wanted, vehicle, withoutSecrets(params), { id, mode, needsSecond, at: now() });
    try {
      await write(by, wanted, vehicle, record);
    } catch (error) {
      unclaim();
      throw error;
    }
    return answer(await dispatcher.add(record, by.author));
  };

  /** Records a refused attempt to send a control command. */
  const noteAttempt = async (
    { session, author }: By,
    { action, imei }: Pick<NewCommandFields, 'action' | 'imei'>,
    error: unknown,
  ) => {
    const vehicle = directory.findByImei(imei);
    const isAttempt = error instanceof AppError && ATTEMPTS.has(error.code);
    if (!isAttempt || commandKind(action).category === 'read' || !visibility.sees(session, vehicle)) return;
    await db.asAccount(session.accountId, trx =>
      audit(trx, author, {
        action: 'command.refused',
        target: { id: vehicle.id, name: vehicle.name },
        changes: [
          { field: 'command', from: null, to: action },
          { field: 'reason', from: null, to: error.code },
        ],
      }),
    );
  };

  const noted = async <T>(
    by: By,
    of: Pick<NewCommandFields, 'action' | 'imei'>,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      await noteAttempt(by, of, error);
      throw error;
    }
  };

  return {
    dispatcher: {
      ...dispatcher,
      stop: () => {
        measures.stop();
        return dispatcher.stop();
      },
    },
    offer: offers.offer,
    preview: offers.preview,

    list: async (session, { at, before, deviceId, limit, open, run, state = null }) => {
      const vehicleIds =
        deviceId !== undefined
          ? [visibility.vehicle(session, Number(deviceId)).id]
          : visibility.seesAll(session)
            ? null
            : visibility.vehicles(session).map(({ id }) => id);
      const ofRun = run === undefined ? null : { id: run, userId: session.userId };
      const filter = {
        ...{ vehicleIds, openOnly: open === 'true', state, run: ofRun, limit },
        ...{ before: before ?? null, at: at === undefined ? null : new Date(at) },
      };
      return (await db.asAccount(session.accountId, trx => listRecords(trx, filter))).map(answer);
    },

    read: async (session, id) => answer(await found(session, id)),

    ask: (by, wanted, id = randomUUID()) => noted(by, wanted, () => ask(by, wanted, id)),

    agree: async (by, id, grant) => {
      const record = await found(by.session, id);
      return noted(by, record, async () => {
        refuseUnlessMay(by.session, vehicleOf(record), record.action);
        await refuseUnlessSafe(vehicleOf(record), record.action, record.mode);
        return answer(await second.agree(by, record, grant));
      });
    },

    decline: async (by, id, reason) => {
      const record = await found(by.session, id);
      refuseUnlessMay(by.session, vehicleOf(record), record.action);
      return answer(await second.decline(by, record, reason));
    },

    cancel: async (by, id) => {
      const record = await found(by.session, id);
      refuseUnlessMay(by.session, vehicleOf(record), record.action);
      const cancelled = await dispatcher.cancel(record, by.author);
      if (!cancelled) throw new AppError('command-gone');
      return answer(cancelled);
    },

    confirm: async (by, { action, commandId = null, controlPassword, imei, mode: asked }) => {
      const vehicle = visible(by.session, imei);
      refuseUnlessMay(by.session, vehicle, action);
      offered(vehicle, action);
      if (commandKind(action).category !== 'control') throw invalidField('action', 'no-control-password-needed');
      const mode = modeOf({ action, mode: asked });
      const wanted: Wanted = { vehicle, action, mode, commandId };
      if (commandId !== null) {
        const record = await found(by.session, commandId);
        if (record.imei !== imei || record.action !== action || record.mode !== mode) throw new AppError('not-found');
        await noted(by, record, async () => refuseUnlessSecond(by.session, record));
      }
      await grants.confirm(by, purposeOf(wanted), controlPassword);
      await refuseUnlessSafe(vehicle, action, mode);
      const { interlock } = await measures.of(vehicle);
      return { ok: true, grant: await grants.give(by, wanted), expiresIn: GRANT_LIFETIME_S, interlock };
    },
  };
}

function newRecord(
  { session, author }: By,
  { action, reason = null }: { readonly action: CommandAction; readonly reason?: string | null | undefined },
  { id: vehicleId, imei, accountId }: DirectoryEntry,
  { params, secrets }: ReturnType<typeof withoutSecrets>,
  {
    id,
    mode,
    needsSecond,
    at,
  }: {
    readonly id: string;
    readonly mode: CommandMode | null;
    readonly needsSecond: boolean;
    readonly at: number;
  },
): CommandRecord {
  const { category, effect } = commandKind(action);
  const state = needsSecond ? 'awaiting-second' : 'queued';
  return {
    id,
    accountId,
    vehicleId,
    imei,
    action,
    params,
    secrets,
    mode,
    reason,
    state,
    waitingFor: null,
    effect: effect && 'awaited',
    createdAt: at,
    expiresAt: at + COMMAND_LIFETIME_S[category] * 1000,
    createdBy: session.userId,
    createdByName: author.userName ?? '',
    needsSecond,
    secondBy: null,
    secondByName: null,
    sent: 0,
    publishedAt: null,
    protocol: null,
    reference: null,
    text: null,
    answer: null,
    steps: [{ at: new Date(at).toISOString(), state, reason: 'asked', by: author.userName, interlock: null }],
  };
}
