import { listReportRuns, type ReportRun, readReportFile } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { download } from '../../base/download.ts';
import { i18n } from '../../base/i18n.ts';
import { problemWords } from '../../base/problem-words.ts';
import { queryClient } from '../../base/queries.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';

/** The change feed reloads queries with this key. */
export const RUNS = ['report-runs'];
const OPEN_MS = 1500;

export const isOpen = ({ endedAt }: Pick<ReportRun, 'endedAt'>): boolean => endedAt === null;

export function useRuns() {
  return useQuery({
    queryKey: RUNS,
    queryFn: () => call(listReportRuns),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? OPEN_MS : false),
  });
}

export async function saveRun({ id, file }: ReportRun): Promise<void> {
  if (!file) return;
  try {
    download(await call(readReportFile, { params: { id } }), file.name);
  } catch (error) {
    toast(describeError(error).message, 'error');
  }
}

/** Announces a finished export on whatever page its user is then. */
export async function followRun({ id }: ReportRun): Promise<void> {
  const { token } = useSession.getState();
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, OPEN_MS));
    // Another user on this device didn't ask for it.
    if (useSession.getState().token !== token) return;
    const runs = await queryClient
      .fetchQuery({ queryKey: RUNS, queryFn: () => call(listReportRuns), staleTime: 0 })
      .catch(() => null);
    // Without a connection, keep waiting until it is back.
    if (runs === null) continue;
    const run = runs.find(each => each.id === id);
    if (!run || run.state === 'cancelled') return;
    if (run.state === 'failed') {
      const reason = run.problem ? problemWords(run.problem, run.problem.title) : '';
      return toast(i18n.t('reports:runs.failedToast', { title: run.title, reason }), 'error');
    }
    if (run.state === 'done') {
      return toast(i18n.t('reports:runs.ready', { title: run.title }), 'ok', {
        label: i18n.t('reports:runs.download'),
        run: () => void saveRun(run),
      });
    }
  }
}
