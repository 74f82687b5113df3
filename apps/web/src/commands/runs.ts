import {
  type Command,
  type CommandRun,
  type CommandRunResults,
  listCommandRuns,
  listCommands,
  readCommandRun,
} from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { useSockets } from '../live/sockets/socket-store.ts';
import { keepCommands } from './command-store.ts';

/** The key of everything about commands to several vehicles; the change feed refetches by it. */
export const RUNS = 'command-runs';
/** Without the socket that tells of changes. */
const POLL_MS = 2000;
const PAGE = 200;

export const isRunning = ({ state }: Pick<CommandRun, 'state'>): boolean => state === 'waiting' || state === 'running';

const usePollMs = (): number | false =>
  useSockets(sockets => (sockets['/eld'].state === 'connected' ? false : POLL_MS));

/** One's own of the last days, newest first. */
export function useCommandRuns() {
  const everyMs = usePollMs();
  return useQuery({
    queryKey: [RUNS],
    queryFn: () => call(listCommandRuns, {}),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? everyMs : false),
  });
}

/** One run with each vehicle's result, refreshed until it ends. */
export function useCommandRun(id: string | null) {
  const everyMs = usePollMs();
  return useQuery({
    queryKey: [RUNS, id],
    queryFn: () => call(readCommandRun, { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && !isRunning(state.data) ? false : everyMs),
  });
}

/** Reads a run's commands once it has ended; until then each arrives over the socket as it is sent. */
export function useCommandsOfRun(run: CommandRunResults | undefined): void {
  useQuery({
    queryKey: [RUNS, run?.id, 'commands'],
    queryFn: async () => {
      let before: string | undefined;
      for (;;) {
        const page: Command[] = await call(listCommands, {
          query: { run: run?.id ?? '', limit: PAGE, ...(before && { before }) },
        });
        keepCommands(...page);
        before = page.at(-1)?.id;
        if (page.length < PAGE) return null;
      }
    },
    enabled: run !== undefined && !isRunning(run),
    staleTime: 0,
  });
}
