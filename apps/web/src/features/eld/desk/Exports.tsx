import { type LogExport, readLogExport } from '@milepost/contract';
import { IconDownload, IconFileExport } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { OutputFileDialog } from '../OutputFileDialog.tsx';
import { exportsQuery } from '../queries.ts';
import styles from './List.module.css';
import { Listed } from './Listed.tsx';
import { useDeskTimes } from './use-desk-times.ts';

/** Every file created from logs: by whom, when and why. */
export function Exports() {
  const { t } = useTranslation('eld');
  const query = useQuery(exportsQuery);
  const { moment } = useDeskTimes();
  const [isOpen, setIsOpen] = useState(false);
  const { mutate: take } = useMutation({
    mutationFn: async ({ id, fileName }: Pick<LogExport, 'id' | 'fileName'>) =>
      download(await call(readLogExport, { params: { id } }), fileName),
    onError: error => toast(describeError(error).message, 'error'),
  });
  return (
    <>
      <Listed
        query={query}
        label={t('tabs.exports')}
        tools={
          <>
            <span className={styles.quiet}>{t('exports.preview')}</span>
            <Button icon={<IconFileExport size={16} stroke={1.75} aria-hidden />} onClick={() => setIsOpen(true)}>
              {t('output.open')}
            </Button>
          </>
        }
        heads={[
          t('columns.driver'),
          t('exports.file'),
          t('exports.period'),
          t('exports.comment'),
          t('exports.made'),
          t('exports.result.title'),
          '',
        ]}
        empty={{ title: t('exports.empty.title'), text: t('exports.empty.text') }}
        row={({ id, driverName, kind, fileName, from, to, comment, at, by, atRoadside, mailedTo, takenAt, sha256 }) => (
          <tr key={id}>
            <th scope="row">{driverName}</th>
            <td>
              {t(`exports.kind.${kind}`)}
              <span className={styles.second} title={t('exports.checksum', { sha256 })}>
                {fileName}
              </span>
            </td>
            <td className={styles.nowrap}>
              {from === null || to === null ? t('exports.whole') : `${logDate(from)} – ${logDate(to)}`}
            </td>
            <td>{comment || '–'}</td>
            <td>
              {by}
              <span className={styles.second}>{moment(at)}</span>
              {atRoadside && <Chip tone="info">{t('exports.roadside')}</Chip>}
            </td>
            <td>
              {takenAt !== null && <Chip tone="ok">{t('exports.result.taken')}</Chip>}
              {takenAt !== null && <span className={styles.second}>{moment(takenAt)}</span>}
              {mailedTo !== null && <Chip tone="ok">{t('exports.result.mailed')}</Chip>}
              {mailedTo !== null && <span className={styles.second}>{mailedTo}</span>}
              {takenAt === null && mailedTo === null && t(`exports.result.${atRoadside ? 'shown' : 'downloaded'}`)}
            </td>
            <td>
              {kind === 'output-file' && (
                <IconButton
                  bordered
                  label={t('exports.downloadOf', { file: fileName })}
                  onClick={() => take({ id, fileName })}
                >
                  <IconDownload size={16} stroke={1.75} aria-hidden />
                </IconButton>
              )}
            </td>
          </tr>
        )}
      />
      {isOpen && <OutputFileDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
