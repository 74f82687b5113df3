import { useTranslation } from 'react-i18next';
import { describeToken } from '../../../../search-tokens/describe-token.ts';
import { formatToken } from '../../../../search-tokens/search-text.ts';
import { Token } from '../../../../ui/Token.tsx';
import { removeFilter, useDashboard } from '../../state/dashboard-state.ts';
import styles from './FilterTokens.module.css';

/** The active filters, each with a remove button. */
export function Component() {
  const { t } = useTranslation(['searchTokens', 'vehicle', 'dashboard']);
  const tokens = useDashboard(state => state.tokens);
  return (
    <ul className={styles.tokens} aria-label={t('dashboard:filter.title')}>
      {tokens.map(token => {
        const words = describeToken(token, t);
        return (
          <li key={formatToken(token)}>
            <Token removeLabel={t('dashboard:filter.remove', { filter: words })} onRemove={() => removeFilter(token)}>
              {words}
            </Token>
          </li>
        );
      })}
    </ul>
  );
}
