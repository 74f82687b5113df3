import { addInspectionPhoto, addTaskProof, listMyTasks, reportTask, type Task } from '@milepost/contract';
import { create } from 'zustand';
import { call } from '../base/api.ts';
import { onSessionEnd } from '../base/session/session.ts';
import { alone } from './alone.ts';
import { dutyClock } from './duty-clock.ts';
import { type KeptChange, Outbox, type OutboxItem } from './outbox.ts';
import { sendOutbox } from './send-outbox.ts';
import type { Sendable } from './sendable.ts';

interface PhoneOutbox {
  readonly owner: string | null;
  /** The tasks as last sent by the server; null if this phone has never received any. */
  readonly tasks: readonly Task[] | null;
  /** In the order in which the driver made them. */
  readonly waiting: readonly OutboxItem[];
  /** Refused by the server and not yet read by the driver. */
  readonly refused: readonly OutboxItem[];
  /** Changes by the office that the driver has not read yet. */
  readonly changes: readonly KeptChange[];
}

const NOTHING: PhoneOutbox = { owner: null, tasks: null, waiting: [], refused: [], changes: [] };

/** A driver's tasks and photos on this phone. */
export const useOutbox = create<PhoneOutbox>(() => NOTHING);

let opened: Promise<Outbox | null> | null = null;
const tabs = globalThis.BroadcastChannel ? new BroadcastChannel('milepost-outbox') : null;

/** Null if the browser stores nothing, as in some private windows. */
const theOutbox = (): Promise<Outbox | null> => {
  opened ??= Outbox.open().catch(() => null);
  return opened;
};

/** Shows what the phone has stored for this user. */
export async function openOutbox(owner: string): Promise<void> {
  if (useOutbox.getState().owner !== owner) useOutbox.setState({ ...NOTHING, owner });
  await reread(owner);
  if (tabs) tabs.onmessage = () => void reread(owner);
}

async function reread(owner: string): Promise<void> {
  const outbox = await theOutbox();
  if (outbox === null) return;
  const [tasks, waiting, refused, changes] = await Promise.all([
    outbox.tasks(owner),
    outbox.items(owner, 'waiting'),
    outbox.items(owner, 'refused'),
    outbox.changes(owner),
  ]);
  if (useOutbox.getState().owner === owner) useOutbox.setState({ tasks, waiting, refused, changes });
}

async function changed(owner: string): Promise<void> {
  await reread(owner);
  tabs?.postMessage(owner);
}

async function send(what: Sendable): Promise<void> {
  const named = (file: Blob, name: string) => new File([file], name, { type: file.type });
  if (what.kind === 'task-step') {
    const { at, note, reason, reportId, signedBy, step, taskId } = what;
    await call(reportTask, { params: { id: taskId }, body: { reportId, step, at, reason, note, signedBy } });
  } else if (what.kind === 'task-proof') {
    const { file, proof, proofId, signedBy, taskId } = what;
    const body = { proofId, kind: proof, ...(signedBy && { signedBy }), file: named(file, proof) };
    await call(addTaskProof, { params: { id: taskId }, body });
  } else {
    const { file, photoId, vehicleId } = what;
    await call(addInspectionPhoto, { body: { photoId, vehicleId, file: named(file, 'photo') } });
  }
}

/** Sends waiting items, then loads the tasks. Rejects like any other call; nothing is lost then. */
export async function tasksInStep(owner: string): Promise<void> {
  const outbox = await theOutbox();
  if (outbox === null) {
    const tasks = await call(listMyTasks);
    if (useOutbox.getState().owner === owner) useOutbox.setState({ tasks });
    return;
  }
  try {
    await alone(`milepost-outbox-${owner}`, async () => {
      await sendOutbox(outbox, owner, send);
      await outbox.keepTasks(owner, await call(listMyTasks), dutyClock.now());
    });
  } finally {
    await changed(owner);
  }
}

/**
 * Stores what the driver did and sends it as soon as there is a network. Resolves once it is on the phone's disk or, if
 * that is full, on the server; rejects if neither works.
 */
export async function putInOutbox(owner: string, sendables: readonly Sendable[]): Promise<void> {
  const outbox = await theOutbox();
  const isStored =
    outbox !== null &&
    (await outbox.add(owner, sendables).then(
      () => true,
      () => false,
    ));
  if (isStored) {
    await changed(owner);
    // Without a network, it is sent later.
    tasksInStep(owner).catch(() => {});
    return;
  }
  for (const what of sendables) await send(what);
  await tasksInStep(owner);
}

/** The driver has read the office's changes and the reasons for refusals. */
export async function noteRead(): Promise<void> {
  const { owner, refused } = useOutbox.getState();
  const outbox = await theOutbox();
  if (owner === null || outbox === null) return;
  await Promise.all([outbox.forgetChanges(owner), ...refused.map(({ nth }) => outbox.remove(nth))]);
  await changed(owner);
}

onSessionEnd(() => {
  const { owner } = useOutbox.getState();
  useOutbox.setState(NOTHING, true);
  if (owner !== null) void theOutbox().then(outbox => outbox?.forgetTasks(owner));
});
