import { type CommandMode, previewCommand } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { formatDuration } from '../../format/duration.ts';
import type { OfferedCommand } from '../offers.ts';
import type { CommandVehicle } from '../vehicle.ts';
import type { CommandBody } from './command-form.ts';
import styles from './Details.module.css';

interface Props {
  readonly vehicle: CommandVehicle;
  readonly command: OfferedCommand;
  /** Undefined while a parameter is missing or invalid. */
  readonly params: CommandBody['params'] | undefined;
  readonly mode: CommandMode | undefined;
}

/** Shows exactly what would be sent to this vehicle. The server works it out, only once the preview is opened. */
export function Preview({ vehicle, command, params, mode }: Props) {
  const { t } = useTranslation('commands');
  const [open, setOpen] = useState(false);
  const body = useDeferredValue({
    imei: vehicle.imei,
    action: command.action,
    params: params ?? {},
    ...(mode && { mode }),
  });
  const { data, error } = useQuery({
    queryKey: ['command-preview', body],
    queryFn: () => call(previewCommand, { body }),
    enabled: open && params !== undefined,
    gcTime: 0,
  });
  return (
    <details className={styles.preview} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('preview')}</summary>
      {params === undefined && <p>{t('previewIncomplete')}</p>}
      {params !== undefined && error && <p>{describeError(error).message}</p>}
      {params !== undefined && data && (
        <>
          <pre>
            {data.topic} ← {data.payload}
          </pre>
          {data.text !== null && <p>{t('previewText', { text: data.text })}</p>}
          <p>{t('previewExpiry', { duration: formatDuration(data.expiresInS * 1000) })}</p>
        </>
      )}
    </details>
  );
}
