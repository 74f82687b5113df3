import { may } from '@milepost/contract';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { useMedia } from '../../base/use-media.ts';
import { paths } from '../../paths.ts';
import { Picture } from '../../people/Picture.tsx';
import { Notice } from '../../ui/Notice.tsx';
import sections from '../../ui/sections.module.css';
import { NotificationsSection } from './notifications/NotificationsSection.tsx';
import styles from './ProfilePage.module.css';
import { PreferencesSection } from './preferences/PreferencesSection.tsx';
import { isSectionId, SECTION_ICONS, SECTION_IDS, type SectionId } from './sections.ts';
import { SecuritySection } from './security/SecuritySection.tsx';
import { SessionsSection } from './sessions/SessionsSection.tsx';
import { TokensSection } from './tokens/TokensSection.tsx';
import { YouSection } from './you/YouSection.tsx';

const COMPONENTS: Readonly<Record<SectionId, ComponentType>> = {
  you: YouSection,
  security: SecuritySection,
  sessions: SessionsSection,
  preferences: PreferencesSection,
  notifications: NotificationsSection,
  tokens: TokensSection,
};

/**
 * `/profile` [R2.10]: everything that belongs to the signed-in user. On a phone, first the list of sections, then one
 * of them.
 */
export function Component() {
  const { t } = useTranslation(['profile', 'shell']);
  const { section } = useParams();
  const isPhone = useMedia('(max-width: 37.49em)');
  const me = useSession(session => session.me);
  if (section !== undefined && !isSectionId(section)) return <Navigate to={paths.profile()} replace />;
  const shown = section ?? (isPhone ? null : 'you');
  const Section = shown && COMPONENTS[shown];
  const mayOpen = me !== null && may(me, 'profile.read');
  return (
    <div className={sections.page} data-page="flow" data-open={section}>
      <title>{t('shell:appTitle', { page: shown ? t(`sections.${shown}`) : t('title') })}</title>
      <nav className={sections.nav} aria-label={t('title')}>
        {!shown && <h1>{t('title')}</h1>}
        {me && (
          <p className={styles.who}>
            <Picture name={me.displayName} image={me.image} size={40} />
            <span>
              <b>{me.displayName}</b>
              {me.userName}
            </span>
          </p>
        )}
        <ul>
          {SECTION_IDS.map(id => {
            const Icon = SECTION_ICONS[id];
            return (
              <li key={id}>
                <Link to={paths.profile(id)} aria-current={id === shown ? 'page' : undefined}>
                  <Icon size={18} stroke={1.75} aria-hidden />
                  {t(`sections.${id}`)}
                  {isPhone && <IconChevronRight className={styles.open} size={18} stroke={1.75} aria-hidden />}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className={`${sections.section} ${styles.section}`} data-open={section}>
        {section !== undefined && isPhone && (
          <Link className={sections.back} to={paths.profile()}>
            <IconChevronLeft size={18} stroke={1.75} aria-hidden />
            {t('title')}
          </Link>
        )}
        {shown && <h1>{t(`sections.${shown}`)}</h1>}
        {/* Visitors of the public demo have no profile. */}
        {me && !mayOpen && shown && <Notice>{t('readOnly')}</Notice>}
        {mayOpen && Section && <Section key={shown} />}
      </div>
    </div>
  );
}
