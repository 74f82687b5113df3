import { type Command, listCommands, readCommand } from '@milepost/contract';
import { useEffect } from 'react';
import { create } from 'zustand';
import { call } from '../base/api.ts';
import { onSessionEnd } from '../base/session/session.ts';
import { useSockets } from '../live/sockets/socket-store.ts';
import { onVehicleEvent } from '../live/sockets/vehicle-events.ts';
import { isOpen } from './command-state.ts';

/** All commands that this tab knows, each in its latest state. */
export const useCommandStore = create<{ readonly commands: ReadonlyMap<string, Command> }>(() => ({
  commands: new Map(),
}));

onSessionEnd(() => useCommandStore.setState({ commands: new Map() }));

/** Responses may arrive out of order. The one with more steps is newer. */
const isNewer = (one: Command, known: Command | undefined): boolean =>
  known === undefined ||
  one.steps.length > known.steps.length ||
  (one.steps.length === known.steps.length && one.state !== known.state);

/** No fleet is sent this many commands at once. */
const MOST_KEPT = 20_000;

export function keepCommands(...told: readonly Command[]): void {
  const { commands } = useCommandStore.getState();
  const news = told.filter(one => isNewer(one, commands.get(one.id)));
  if (news.length === 0) return;
  const next = new Map(commands);
  for (const one of news) next.set(one.id, one);
  // A tab may stay open for weeks, so the oldest commands are dropped.
  for (const id of next.keys()) {
    if (next.size <= MOST_KEPT) break;
    next.delete(id);
  }
  useCommandStore.setState({ commands: next });
}

// Steps of all users' commands arrive here, possibly thousands at once, so they are collected briefly.
const GATHER_MS = 100;
const arrived: Command[] = [];
onVehicleEvent('command_changed', command => {
  if (arrived.push(command) === 1) setTimeout(() => keepCommands(...arrived.splice(0)), GATHER_MS);
});

/** Open commands are read this often: `POLL_MS` without the socket, `CHECK_MS` with it, as a backup. */
const POLL_MS = 2000;
const CHECK_MS = 20_000;
/** Up to this many commands are read one by one, more as a list. */
const SINGLE_READS = 8;
const MOST_LISTED = 200;

/** Keeps these commands up to date until each has ended. */
export function useFreshCommands(ids: readonly string[]): void {
  const key = ids.join(' ');
  const everyMs = useSockets(sockets => (sockets['/eld'].state === 'connected' ? CHECK_MS : POLL_MS));
  useEffect(() => {
    const open = (): string[] => {
      const { commands } = useCommandStore.getState();
      return key.split(' ').filter(id => id !== '' && isOpenId(commands, id));
    };
    const timer = setInterval(() => {
      const asked = open();
      if (asked.length === 0) return;
      // Failed reads are repeated at the next interval.
      void refresh(asked).catch(() => {});
    }, everyMs);
    return () => clearInterval(timer);
  }, [key, everyMs]);
}

const isOpenId = (commands: ReadonlyMap<string, Command>, id: string): boolean => {
  const command = commands.get(id);
  return command === undefined || isOpen(command);
};

async function refresh(ids: readonly string[]): Promise<void> {
  if (ids.length <= SINGLE_READS) {
    keepCommands(...(await Promise.all(ids.map(id => call(readCommand, { params: { id } })))));
    return;
  }
  keepCommands(...(await call(listCommands, { query: { limit: MOST_LISTED } })));
}
