import { IconChevronLeft } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { Part } from '../../base/chunks/Part.tsx';
import { withTexts } from '../../base/chunks/with-texts.ts';
import { useSession } from '../../base/session/session.ts';
import { isSectionId, mayOpen, SECTION_IDS, SECTIONS, type SectionId } from '../../base/settings-sections.ts';
import { useMedia } from '../../base/use-media.ts';
import { paths } from '../../paths.ts';
import { SearchBox } from '../../ui/SearchBox.tsx';
import sections from '../../ui/sections.module.css';
import { NotificationsSection } from './notifications/NotificationsSection.tsx';
import styles from './SettingsPage.module.css';
import { AuditSection } from './sections/AuditSection.tsx';
import { BrandingSection } from './sections/BrandingSection.tsx';
import { CommandsSection } from './sections/CommandsSection.tsx';
import { DataSection } from './sections/DataSection.tsx';
import { MapsSection } from './sections/MapsSection.tsx';
import { OrganisationSection } from './sections/OrganisationSection.tsx';
import { PrivacySection } from './sections/PrivacySection.tsx';
import { SecuritySection } from './sections/SecuritySection.tsx';
import { SubscriptionsSection } from './sections/SubscriptionsSection.tsx';
import { SystemSection } from './sections/SystemSection.tsx';
import { TrackingSection } from './sections/TrackingSection.tsx';
import { useSectionSearch } from './use-section-search.ts';

const WebhooksSection = withTexts(() => import('./webhooks/WebhooksSection.tsx'), {
  webhooks: () => import('../../locales/en-US/webhooks.json'),
});

const SignOnSection = withTexts(() => import('./sign-on/SignOnSection.tsx'), {
  people: () => import('../../locales/en-US/people.json'),
  signOn: () => import('../../locales/en-US/sign-on.json'),
});

const COMPONENTS: Readonly<Record<SectionId, ComponentType>> = {
  organisation: OrganisationSection,
  branding: BrandingSection,
  tracking: TrackingSection,
  maps: MapsSection,
  commands: CommandsSection,
  notifications: NotificationsSection,
  webhooks: WebhooksSection,
  subscriptions: SubscriptionsSection,
  privacy: PrivacySection,
  security: SecuritySection,
  signOn: SignOnSection,
  data: DataSection,
  audit: AuditSection,
  system: SystemSection,
};

/**
 * The account's settings [R2.05]: the list of sections on the left and one section beside it; on a phone, one at a
 * time.
 */
export function Component() {
  const { t } = useTranslation(['settings', 'shell']);
  const { section } = useParams();
  const isPhone = useMedia('(max-width: 37.49em)');
  const me = useSession(session => session.me);
  const allowed = SECTION_IDS.filter(id => me !== null && mayOpen(me, id));
  const [query, setQuery] = useState('');
  const found = useSectionSearch(allowed, query);

  const first = allowed[0];
  if (first === undefined) {
    return (
      <div className={styles.nobody} data-page="flow">
        <title>{t('shell:appTitle', { page: t('title') })}</title>
        <h1>{t('title')}</h1>
        <p>{t('noneAllowed')}</p>
        <Link to={paths.profile()}>{t('toProfile')}</Link>
      </div>
    );
  }
  if (section === undefined && !isPhone) return <Navigate to={paths.settings(first)} replace />;
  const shown = isSectionId(section) && allowed.includes(section) ? section : null;
  const Section = shown && COMPONENTS[shown];
  return (
    <div className={sections.page} data-page="flow" data-open={shown ?? undefined}>
      <title>{t('shell:appTitle', { page: shown ? t(`sections.${shown}`) : t('title') })}</title>
      <nav className={sections.nav} aria-label={t('title')}>
        <SearchBox
          value={query}
          onSearch={setQuery}
          label={t('find')}
          placeholder={t('find')}
          clearLabel={t('clearFind')}
        />
        <ul>
          {found.map(({ id, setting }) => {
            const { Icon } = SECTIONS[id];
            return (
              <li key={id}>
                <Link to={paths.settings(id)} aria-current={id === shown ? 'page' : undefined}>
                  <Icon size={18} stroke={1.6} aria-hidden />
                  <span>
                    {t(`sections.${id}`)}
                    {setting && <small className={styles.found}>{setting}</small>}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
        {found.length === 0 && <p className={styles.none}>{t('findNone', { query })}</p>}
      </nav>
      <div className={sections.section}>
        {shown && isPhone && (
          <Link className={sections.back} to={paths.settings()}>
            <IconChevronLeft size={18} stroke={1.75} aria-hidden />
            {t('title')}
          </Link>
        )}
        {Section ? (
          <Part key={shown}>
            <Section />
          </Part>
        ) : (
          section !== undefined && <p>{t('noSection')}</p>
        )}
      </div>
    </div>
  );
}
