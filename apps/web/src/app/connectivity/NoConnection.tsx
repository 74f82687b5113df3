import type { OfflineCause } from '@milepost/client';
import { IconLogin, IconMap2, IconPlugOff, IconRefresh, IconServerOff, IconWifiOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../base/announce.ts';
import { tryConnection, useConnectivity } from '../../base/connectivity.ts';
import { useStripOnly } from '../../base/strip-only.ts';
import { formatClock } from '../../format/time.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { BrokenRoad } from './BrokenRoad.tsx';
import { ConnectionStrip } from './ConnectionStrip.tsx';
import styles from './NoConnection.module.css';
import { useKeptPositions } from './use-kept-positions.ts';

const CAUSE_ICONS = { network: IconWifiOff, server: IconServerOff, 'signed-out': IconLogin } satisfies Record<
  OfflineCause,
  unknown
>;

/**
 * Shown when a connectivity check fails [R2.28, R8.01], with exactly the specified words [R2.29]. The user can close
 * it, and it closes at the next status 200 [R2.30]. The strip at the top stays until then.
 */
export function Component() {
  const { t } = useTranslation('connectivity');
  const online = useConnectivity(state => state.status === 'online');
  const cause = useConnectivity(state => (state.status === 'offline' ? state.cause : 'network'));
  const isStripOnly = useStripOnly();
  const keptAt = useKeptPositions(!online);
  const [closed, setClosed] = useState(false);
  const wasOffline = useRef(false);

  useEffect(() => {
    if (!online) wasOffline.current = true;
    else if (wasOffline.current) {
      wasOffline.current = false;
      // Show the dialog again at the next loss of connection, even if the user closed it this time.
      setClosed(false);
      announce(t('back'));
    }
  }, [online, t]);

  const close = () => setClosed(true);
  const CauseIcon = CAUSE_ICONS[cause];
  return (
    <>
      {!online && <ConnectionStrip />}
      <Dialog
        open={!online && !closed && !isStripOnly}
        onClose={close}
        role="alertdialog"
        title={t('title')}
        describedBy="no-connection-text"
        closeLabel={t('close')}
        art={<BrokenRoad />}
      >
        <p id="no-connection-text" className={styles.text}>
          {t('detected')}
          <br />
          {t('check')}
        </p>
        <dl className={styles.facts}>
          <div>
            <CauseIcon size={18} stroke={1.75} aria-hidden />
            <dt>{t(`cause.${cause}.what`)}</dt>
            <dd>{t(`cause.${cause}.state`)}</dd>
          </div>
          {keptAt !== null && (
            <div>
              <IconMap2 size={18} stroke={1.75} aria-hidden />
              <dt>{t('positions')}</dt>
              <dd>{t('kept', { time: formatClock(keptAt) })}</dd>
            </div>
          )}
        </dl>
        <Button
          variant="primary"
          size="large"
          wide
          className={styles.button}
          icon={<IconRefresh size={16} stroke={1.75} aria-hidden />}
          data-autofocus
          onClick={tryConnection}
        >
          {t('tryNow')}
        </Button>
        <Button
          size="large"
          wide
          className={styles.button}
          icon={<IconPlugOff size={16} stroke={1.75} aria-hidden />}
          onClick={close}
        >
          {t('workOffline')}
        </Button>
      </Dialog>
    </>
  );
}
