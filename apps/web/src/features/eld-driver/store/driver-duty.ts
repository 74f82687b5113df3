import { ProblemError } from '@milepost/client';
import { type MyDuty, readMyDuty } from '@milepost/contract';
import { create } from 'zustand';
import { call } from '../../../base/api.ts';
import { changeNumber } from '../../../base/change-number.ts';
import { loadChunk } from '../../../base/chunks/load-chunk.ts';
import { noteOwnLog } from '../../../base/session/own-log.ts';
import { onSessionEnd } from '../../../base/session/session.ts';
import { alone } from '../../../phone/alone.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { DutyStore, type KeptEnrollment } from './duty-store.ts';
import type { KeptEntry } from './entry.ts';
import { momentOf } from './moment-of.ts';

interface DriverDuty {
  /** The user whose log this is; null until it is opened. */
  readonly owner: string | null;
  /** The log as the server last sent it; null if this phone has never received one. */
  readonly word: MyDuty | null;
  /** In the order in which the driver made them. */
  readonly waiting: readonly KeptEntry[];
  /** Refused by the server and not yet read by the driver. */
  readonly refused: readonly KeptEntry[];
  /** Enrolled: entries are signed, and the app opens with a PIN. Null if it is not; undefined before that is known. */
  readonly enrollment: KeptEnrollment | null | undefined;
  /** The server keeps no log for this driver. */
  readonly hasNoLog: boolean;
  /** The phone can't store anything, so entries go straight to the server. */
  readonly cannotStore: boolean;
  /** When the server last answered, by the server's clock; epoch milliseconds. */
  readonly heardAtMs: number | null;
}

const NOTHING: DriverDuty = {
  owner: null,
  word: null,
  waiting: [],
  refused: [],
  enrollment: undefined,
  hasNoLog: false,
  cannotStore: false,
  heardAtMs: null,
};

/** Codes: this user has no log, or this server has no logs. */
const NO_LOG = new Set(['no-log', 'not-found']);

/** A driver's own log on this phone. */
export const useDriverDuty = create<DriverDuty>(() => NOTHING);

let opened: Promise<DutyStore | null> | null = null;
const tabs = globalThis.BroadcastChannel ? new BroadcastChannel('milepost-duty') : null;

/** Null if the browser stores nothing, as in some private windows. */
export const theStore = (): Promise<DutyStore | null> => {
  opened ??= DutyStore.open().then(
    store => {
      // Otherwise the browser may clear the storage when space runs out.
      void navigator.storage?.persist?.().catch(() => false);
      return store;
    },
    () => null,
  );
  return opened;
};

/** Shows this user's log as stored on the phone. */
export async function openDuty(owner: string): Promise<void> {
  if (useDriverDuty.getState().owner !== owner) useDriverDuty.setState({ ...NOTHING, owner });
  await reread(owner);
  if (tabs) tabs.onmessage = () => void reread(owner);
}

async function reread(owner: string): Promise<void> {
  const store = await theStore();
  if (store === null) {
    useDriverDuty.setState({ cannotStore: true, enrollment: null });
    return;
  }
  const [kept, enrollment, waiting, refused] = await Promise.all([
    store.duty(owner),
    store.enrollment(owner),
    store.entries(owner, 'waiting'),
    store.entries(owner, 'refused'),
  ]);
  const newest = waiting.at(-1);
  if (kept) dutyClock.restore(kept.clock, newest ? Date.parse(momentOf(newest)) : kept.clock.serverMs);
  if (useDriverDuty.getState().owner !== owner) return;
  useDriverDuty.setState(({ heardAtMs, word }) => ({
    word: kept?.duty ?? word,
    waiting,
    refused,
    enrollment: enrollment ?? null,
    heardAtMs: kept ? Date.parse(kept.duty.now) : heardAtMs,
  }));
}

/** Shows what was stored, also in other tabs. */
export async function changed(owner: string): Promise<void> {
  await reread(owner);
  tabs?.postMessage(owner);
}

/**
 * Sends waiting entries and loads the log, which the answer to the entries has with it. Rejects like any other call;
 * nothing is lost then.
 */
export async function inStep(owner: string): Promise<void> {
  const store = await theStore();
  try {
    if (store === null) return await askOnly(owner);
    await alone(`milepost-duty-${owner}`, async () => {
      const waits = await hasToSend(store, owner);
      // Entries of a phone whose clock may be ahead get the server's time first: see `inputOf`.
      if (waits ? dutyClock.isSure() && (await send(store, owner)) : hasJustHeard()) return;
      const duty = await call(readMyDuty);
      await store.keepDuty({ owner, duty, clock: dutyClock.observe(Date.parse(duty.now)) });
      noteHeard(duty);
      if (await hasToSend(store, owner)) await send(store, owner);
    });
    noteOwnLog(true);
    useDriverDuty.setState({ hasNoLog: false });
  } catch (error) {
    if (error instanceof ProblemError && NO_LOG.has(error.code)) useDriverDuty.setState({ hasNoLog: true });
    else throw error;
  } finally {
    if (store) await changed(owner);
  }
}

/** Most drivers' first screen has nothing to send. */
async function hasToSend(store: DutyStore, owner: string): Promise<boolean> {
  const enrollment = await store.enrollment(owner);
  return enrollment?.isKnown === false || (await store.entries(owner, 'waiting')).length > 0;
}

/** Whether the server has sent the log with its answers. */
async function send(store: DutyStore, owner: string): Promise<boolean> {
  const { sendEverything } = await loadChunk(() => import('./send-everything.ts'));
  const word = await sendEverything(store, owner);
  if (word) noteHeard(word);
  return word !== null;
}

/** For so long, a log has all that isn't announced as a change, such as what only time brings. */
const JUST_MS = 2000;
let heard = { changes: -1, untilMs: 0 };

function noteHeard({ changes = -1 }: MyDuty): void {
  heard = { changes, untilMs: Date.now() + JUST_MS };
}

/** Whether all that was announced is in the log of a moment ago: above all what this phone has just sent. */
function hasJustHeard(): boolean {
  const ms = heard.untilMs - Date.now();
  return ms > 0 && ms <= JUST_MS && heard.changes >= (changeNumber() ?? Number.POSITIVE_INFINITY);
}

async function askOnly(owner: string): Promise<void> {
  const duty = await call(readMyDuty);
  dutyClock.observe(Date.parse(duty.now));
  if (useDriverDuty.getState().owner === owner) {
    useDriverDuty.setState({ word: duty, heardAtMs: Date.parse(duty.now), hasNoLog: false });
  }
}

// Waiting entries stay until this user signs in again. The log is deleted, so that the next user can't see it.
onSessionEnd(() => {
  const { owner } = useDriverDuty.getState();
  heard.changes = -1;
  useDriverDuty.setState(NOTHING, true);
  if (owner !== null) void theStore().then(store => store?.forgetDuty(owner));
});
