import { may, minutesText, readNotificationSettings, SEVERITY_OF_KIND } from '@milepost/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountSettings } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { paths } from '../../paths.ts';
import { useRuleTexts } from '../../rules/rule-words.ts';
import { Chip } from '../../ui/Chip.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { type BuiltInKind, FOUND_HERE } from './built-in.ts';
import styles from './RulesPage.module.css';

/** Returns a sentence that says when a built-in alert comes. */
export function useBuiltInSentence(): (kind: BuiltInKind) => string {
  const { t } = useTranslation(['rules', 'alerts']);
  const texts = useRuleTexts();
  const { offlineAfterMinutes } = useAccountSettings();
  return kind => {
    const severity = texts.severity[SEVERITY_OF_KIND[kind]];
    if (!(kind in FOUND_HERE)) return t('builtIn.tracker', { what: t(`alerts:kind.${kind}`), severity });
    return t(`builtIn.when.${kind as keyof typeof FOUND_HERE}`, {
      duration: minutesText(offlineAfterMinutes, texts),
      severity,
    });
  };
}

interface Props {
  readonly kind: BuiltInKind;
  readonly onClose: () => void;
}

/** One built-in alert: when it comes, who gets the e-mail, and where to change that. */
export function BuiltInRule({ kind, onClose }: Props) {
  const { t } = useTranslation(['rules', 'alerts', 'registry']);
  const sentence = useBuiltInSentence();
  const mayRead = useSession(({ me }) => me !== null && may(me, 'settings.read'));
  const { data } = useQuery({
    queryKey: ['notification-settings'],
    queryFn: () => call(readNotificationSettings),
    enabled: mayRead,
  });
  const settings = data?.settings;
  const mail = settings && (settings.mail ? (settings.kinds.includes(kind) ? 'on' : 'off') : 'none');
  return (
    <section className={styles.form} aria-label={t(`alerts:kind.${kind}`)}>
      <header className={styles.formHead}>
        <h2>{t(`alerts:kind.${kind}`)}</h2>
        <Chip tone="neutral">{t('builtIn.title')}</Chip>
        <IconButton label={t('registry:closeDrawer')} tooltip="bottom-end" onClick={onClose}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      <div className={styles.body}>
        <div className={styles.main}>
          <section className={styles.card} aria-label={t('sentence.title')}>
            <p className={styles.sentence}>{sentence(kind)}</p>
            <p className={styles.quiet}>{t('builtIn.always')}</p>
            {mail && <p>{t(`builtIn.mail.${mail}`)}</p>}
            <p className={styles.links}>
              {mayRead && kind === 'silent' && <Link to={paths.settings('tracking')}>{t('builtIn.silence')}</Link>}
              {mayRead && <Link to={paths.settings('notifications')}>{t('builtIn.choose')}</Link>}
              {kind === 'restricted' && <Link to={paths.geofence()}>{t('builtIn.geofences')}</Link>}
              <Link to={`${paths.alerts()}?kind=${kind}`}>{t('builtIn.alerts')}</Link>
            </p>
          </section>
        </div>
      </div>
    </section>
  );
}
