import { REPORT_SECTIONS, type Report } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import styles from './Catalogue.module.css';
import { Saved } from './Saved.tsx';

interface Props {
  readonly reports: readonly Report[];
  readonly chosen: string | undefined;
  readonly linkOf: (key: string) => string;
  readonly onChoose: (key: string) => void;
}

/** All reports by topic. On narrow screens it is a select field. */
export function Catalogue({ reports, chosen, linkOf, onChoose }: Props) {
  const { t } = useTranslation('reports');
  const [search, setSearch] = useState('');
  const words = search.trim().toLocaleLowerCase();
  const found = reports.filter(({ title, text }) => `${title} ${text}`.toLocaleLowerCase().includes(words));
  return (
    <>
      <SelectField
        label={t('report')}
        className={styles.select}
        value={chosen ?? ''}
        options={reports.map(({ key, title }) => ({ value: key, label: title }))}
        onChange={event => onChoose(event.currentTarget.value)}
      />
      <nav className={styles.list} aria-label={t('catalogue')}>
        <SearchBox
          value={search}
          onSearch={setSearch}
          label={t('search')}
          placeholder={t('search')}
          clearLabel={t('clearSearch')}
        />
        <Saved />
        {REPORT_SECTIONS.map(section => {
          const inside = found.filter(report => report.section === section);
          return (
            inside.length > 0 && (
              <section key={section}>
                <h2>{t(`section.${section}`)}</h2>
                <ul>
                  {inside.map(({ key, title, text }) => (
                    <li key={key}>
                      <Link to={linkOf(key)} title={text} aria-current={key === chosen ? 'page' : undefined}>
                        {title}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            )
          );
        })}
        {found.length === 0 && <p>{t('noneFound')}</p>}
      </nav>
    </>
  );
}
