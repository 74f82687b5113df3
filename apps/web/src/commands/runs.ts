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

/** The query key of all commands to several vehicles. The change feed refetches by it. */
export const RUNS = 'command-runs';
/** How often to refetch without the socket, in milliseconds. */
const POLL_MS = 2000;
const PAGE = 200;

export const isRunning = ({ state }: Pick<CommandRun, 'state'>): boolean => state === 'waiting' || state === 'running';

const usePollMs = (): number | false =>
  useSockets(sockets => (sockets['/eld'].state === 'connected' ? false : POLL_MS));

/** The user's own runs of the last few days, newest first. */
export function useCommandRuns() {
  const everyMs = usePollMs();
  return useQuery({
    queryKey: [RUNS],
    queryFn: () => call(listCommandRuns, {}),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) ? everyMs : false),
  });
}

/** One run with the result for each vehicle, refetched until it ends. */
export function useCommandRun(id: string | null) {
  const everyMs = usePollMs();
  return useQuery({
    queryKey: [RUNS, id],
    queryFn: () => call(readCommandRun, { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && !isRunning(state.data) ? false : everyMs),
  });
}

/** Reads a run's commands once it has ended. Until then, each arrives over the socket when it is sent. */
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
