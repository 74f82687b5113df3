import { may, REPORT_FORMATS, type ReportFormat, startReportRun } from '@milepost/contract';
import { IconChevronDown, IconDownload, IconFiles } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatCount } from '../../format/locale.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { Runs } from './Runs.tsx';
import { apiQuery, type ReportAddress } from './report-url.ts';
import { followRun, isOpen, RUNS, useRuns } from './runs.ts';
import { useReportLanguage } from './use-reports.ts';

interface Props {
  readonly report: string;
  readonly address: ReportAddress;
}

/** Starts an export of the whole report to a file in the background, and shows the stored files. */
export function Export({ report, address }: Props) {
  const { t } = useTranslation('reports');
  const language = useReportLanguage();
  const queries = useQueryClient();
  const mayExport = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  const { data: runs = [] } = useRuns();
  const [isShown, setIsShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useShortcuts(
    mayExport ? [{ keys: ['e'], label: t('runs.export'), group: t('title'), run: () => button.current?.click() }] : [],
  );
  const { mutate, isPending } = useMutation({
    mutationFn: (format: ReportFormat) =>
      call(startReportRun, { body: { ...apiQuery(address, language), key: report, format } }),
    onSuccess: run => {
      announce(t('runs.started'));
      void followRun(run);
    },
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: RUNS }),
  });
  const open = runs.filter(isOpen).length;
  return (
    <>
      {runs.length > 0 && (
        <Button icon={<IconFiles size={16} stroke={1.75} aria-hidden />} onClick={() => setIsShown(true)}>
          {open > 0
            ? t('runs.open', { count: open, n: formatCount(open) })
            : t('runs.files', { n: formatCount(runs.length) })}
        </Button>
      )}
      {mayExport && (
        <Menu
          trigger={props => (
            <Button {...props} ref={button} variant="primary" busy={isPending}>
              <IconDownload size={16} stroke={1.75} aria-hidden />
              {t('runs.export')}
              <IconChevronDown size={14} stroke={1.75} aria-hidden />
            </Button>
          )}
        >
          {REPORT_FORMATS.map(format => (
            <MenuItem key={format} onClick={() => mutate(format)}>
              {t(`runs.format.${format}`)}
            </MenuItem>
          ))}
        </Menu>
      )}
      <Runs runs={runs} open={isShown} onClose={() => setIsShown(false)} />
    </>
  );
}
