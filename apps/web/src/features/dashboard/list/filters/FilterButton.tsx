import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Part } from '../../../../base/chunks/Part.tsx';
import { withTexts } from '../../../../base/chunks/with-texts.ts';
import { Popover } from '../../../../ui/Popover.tsx';
import { useDashboard } from '../../state/dashboard-state.ts';
import styles from './FilterButton.module.css';

const FilterForm = withTexts(() => import('./FilterForm.tsx'), {
  searchTokens: () => import('../../../../locales/en-US/search-tokens.json'),
});

/** Opens the list's filters. */
export function FilterButton({ floating = false }: { readonly floating?: boolean }) {
  const { t } = useTranslation('dashboard');
  const count = useDashboard(state => state.tokens.length);
  return (
    <Popover
      label={t('filter.title')}
      trigger={props => (
        <button {...props} type="button" className={styles.button} data-floating={floating || undefined}>
          <IconPlus size={14} stroke={1.75} aria-hidden />
          {t('filter.open')}
          {count > 0 && <span className={styles.count}>{count}</span>}
        </button>
      )}
    >
      <Part>
        <FilterForm />
      </Part>
    </Popover>
  );
}
