import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppearanceMenu } from '../../base/AppearanceMenu.tsx';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { useAppName, useClientSettings } from '../../base/client-settings.ts';
import { LanguageMenu } from '../../base/language/LanguageMenu.tsx';
import { TenantLogo } from '../../base/tenant/TenantLogo.tsx';
import { useTenant } from '../../base/tenant/tenant.ts';
import { useMedia } from '../../base/use-media.ts';
import { Mark } from '../../ui/Mark.tsx';
import styles from './FrontDoor.module.css';
import { ServiceStatus } from './ServiceStatus.tsx';

const DuskMap = lazyChunk(async () => (await import('./DuskMap.tsx')).DuskMap);

const FACTS = ['live', 'kept', 'own'] as const;

interface Props {
  /** Title of the browser tab. */
  readonly title: string;
  readonly children: ReactNode;
}

/** The layout around every page for users who are not signed in: brand, one column, and the map at dusk. */
export function FrontDoor({ title, children }: Props) {
  const { t } = useTranslation(['login', 'shell']);
  const { data: settings } = useClientSettings();
  const appName = useAppName();
  const tenant = useTenant(state => state.tenant);
  const wide = useMedia('(min-width: 64em)');
  return (
    <main className={styles.page}>
      <title>{t('shell:appTitle', { page: title })}</title>
      <section className={styles.side}>
        <div className={styles.brand}>
          {tenant ? (
            <TenantLogo name={tenant.name} size={38} />
          ) : (
            <span className={styles.tile}>
              <Mark height={24} />
            </span>
          )}
          <b>{tenant?.name ?? appName}</b>
          <LanguageMenu bordered />
          <AppearanceMenu bordered />
        </div>
        <div className={styles.middle}>{children}</div>
        <div className={styles.foot}>
          <ServiceStatus />
          {settings && <span>{t('version', { name: settings.appName, version: settings.version })}</span>}
        </div>
      </section>
      {wide && (
        <aside className={styles.art} data-color-scheme="dark">
          <Part>
            <DuskMap label={t('art')} />
          </Part>
          <div className={styles.caption}>
            <p>{t('claim')}</p>
            <dl>
              {FACTS.map(fact => (
                <div key={fact}>
                  <dt>{t(`facts.${fact}.text`)}</dt>
                  <dd>{t(`facts.${fact}.figure`)}</dd>
                </div>
              ))}
            </dl>
          </div>
        </aside>
      )}
    </main>
  );
}

/** A step's heading and text. */
export function StepHead({
  title,
  lead,
  step,
}: {
  readonly title: string;
  readonly lead: ReactNode;
  /** "Step 2 of 3". */
  readonly step?: string;
}) {
  return (
    <>
      {step && <p className={styles.step}>{step}</p>}
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
    </>
  );
}
