import { IconBolt, IconMaximize, IconShare2, IconSquarePlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useAppName } from '../../base/client-settings.ts';
import { useSession } from '../../base/session/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Mark } from '../../ui/Mark.tsx';
import styles from './InstallDialog.module.css';
import { isIos, putTipOff } from './install.ts';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The dialog opened without a click, so it offers to remind the user later. */
  readonly asTip?: boolean;
}

/**
 * Explains how to install the app when the browser doesn't offer it: through the browser's menu [R2.22], or on iOS
 * through Share [R2.23].
 */
export function InstallDialog({ open, onClose, asTip = false }: Props) {
  const { t } = useTranslation('install');
  const app = useAppName();
  const account = useSession(session => session.me?.account.name);
  const put = (until: 'never' | 'later') => {
    if (asTip) putTipOff(until, Date.now());
    onClose();
  };
  const ios = isIos();
  return (
    <Dialog
      open={open}
      onClose={() => put('later')}
      title={t('install', { app })}
      subtitle={account}
      closeLabel={t('close')}
      art={
        <span className={styles.icon}>
          <Mark height={40} />
        </span>
      }
    >
      <ul className={styles.benefits}>
        <li>
          <IconMaximize size={22} stroke={1.75} aria-hidden /> {t('benefits.screen')}
        </li>
        <li>
          <IconBolt size={22} stroke={1.75} aria-hidden /> {t('benefits.start')}
        </li>
      </ul>
      {ios ? <h3 className={styles.how}>{t('ios.title')}</h3> : <p role="alert">{t('browser.alert')}</p>}
      <ol className={styles.steps}>
        <Step number={1} icon={ios && <IconShare2 size={20} stroke={1.75} aria-hidden />}>
          {ios ? <Trans t={t} i18nKey="ios.share" components={{ b: <b /> }} /> : t('browser.menu')}
        </Step>
        <Step number={2} icon={<IconSquarePlus size={20} stroke={1.75} aria-hidden />}>
          <Trans t={t} i18nKey={ios ? 'ios.add' : 'browser.choose'} components={{ b: <b /> }} />
        </Step>
        <Step number={3}>
          <Trans t={t} i18nKey={ios ? 'ios.open' : 'browser.open'} values={{ app }} components={{ b: <b /> }} />
        </Step>
      </ol>
      <Button variant="primary" size="large" wide className={styles.button} onClick={() => put('never')}>
        {t('gotIt')}
      </Button>
      {asTip && (
        <Button variant="text" size="large" wide className={styles.later} onClick={() => put('later')}>
          {t('later')}
        </Button>
      )}
    </Dialog>
  );
}

function Step({
  number,
  icon,
  children,
}: {
  readonly number: number;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <li>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <span>{children}</span>
      {icon && <span className={styles.key}>{icon}</span>}
    </li>
  );
}
