import { ALERT_KINDS, type VehicleMute } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatMoment } from '../../format/time.ts';
import { useMinute } from '../../live/view.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './VehicleMutes.module.css';
import { setVehicleMute, useMayMuteVehicles, useVehicleMutes } from './vehicle-mutes.ts';

/** More of them are counted, and listed when someone asks. */
const SHOWN = 3;

interface Props {
  /** Which ones. */
  readonly of: (mute: VehicleMute) => boolean;
}

/** What is muted of vehicles, until when and by whom, with what ends it. */
export function Component({ of }: Props) {
  const { t } = useTranslation('vehicleMutes');
  const mutes = useVehicleMutes().filter(of);
  if (mutes.length === 0) return null;
  const lines = (
    <ul className={styles.lines}>
      {mutes.map(mute => (
        <Line key={`${mute.deviceId} ${mute.about}`} mute={mute} />
      ))}
    </ul>
  );
  return (
    <Notice className={styles.note}>
      {mutes.length <= SHOWN ? (
        lines
      ) : (
        <details>
          <summary>{t('count', { count: new Set(mutes.map(({ deviceId }) => deviceId)).size })}</summary>
          {lines}
        </details>
      )}
    </Notice>
  );
}

function Line({ mute }: { readonly mute: VehicleMute }) {
  const { t } = useTranslation(['vehicleMutes', 'alerts']);
  const { about, by, deviceId, deviceName: vehicle, until } = mute;
  const nowMs = useMinute();
  const mayEnd = useMayMuteVehicles();
  const { isPending, mutate } = useMutation({
    mutationFn: () => setVehicleMute(deviceId, about, null),
    onSuccess: () => toast(t('ended', { vehicle })),
    onError: error => toast(describeError(error).message, 'error'),
  });
  const kind = ALERT_KINDS.find(one => one === about);
  const name = mute.name ?? (kind ? t(`alerts:kind.${kind}`) : '');
  const said = { vehicle, name, time: until === null ? '' : formatMoment(Date.parse(until), nowMs) };
  const words =
    about === null
      ? t(until === null ? 'isAll' : 'isAllUntil', said)
      : t(until === null ? 'isOne' : 'isOneUntil', said);
  return (
    <li className={styles.line}>
      <span>
        {words} {by !== null && t('by', { name: by })}
      </span>
      {mayEnd && (
        <Button
          busy={isPending}
          aria-label={about === null ? t('endAll', said) : t('endOne', said)}
          onClick={() => mutate()}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
