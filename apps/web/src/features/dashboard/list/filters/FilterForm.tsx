import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../../format/use-measure-system.ts';
import { allNodes, groupTree, pathOf } from '../../../../organisation/groups.ts';
import { useOrganisation } from '../../../../organisation/organisation.ts';
import { NOBODY } from '../../../../search-tokens/fields.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { type Option, SelectField } from '../../../../ui/SelectField.tsx';
import { TextField } from '../../../../ui/TextField.tsx';
import { clearFilters, setFilters, useDashboard } from '../../state/dashboard-state.ts';
import styles from './FilterForm.module.css';
import { LIMITS, limitOf, withLimit, withWord, wordOf } from './filter-values.ts';

/** The list's filters; every change applies right away. */
export function Component() {
  const { t } = useTranslation(['dashboard', 'searchTokens']);
  const tokens = useDashboard(state => state.tokens);
  const system = useMeasureSystem();
  const folders = useOrganisation(state => state.folders);
  const departments = useOrganisation(state => state.departments);
  return (
    <div className={styles.form}>
      <h2>{t('filter.title')}</h2>
      {(
        [
          ['folder', folders],
          ['department', departments],
        ] as const
      ).map(
        ([field, groups]) =>
          groups &&
          groups.length > 0 && (
            <SelectField
              key={field}
              label={t(`searchTokens:fields.${field}`)}
              options={[
                { value: '', label: t('filter.any') },
                ...pathOptions(groups),
                { value: NOBODY, label: t(`searchTokens:none.${field}`) },
              ]}
              value={wordOf(tokens, field)}
              onChange={event => setFilters(withWord(tokens, field, event.currentTarget.value))}
            />
          ),
      )}
      <div className={styles.limits}>
        {LIMITS.map(limit => {
          const { amount, unit } = limitOf(tokens, limit, system);
          return (
            <TextField
              key={limit.field}
              type="number"
              inputMode="decimal"
              min={0}
              label={t(`filter.${limit.field}`, { unit: limit.field === 'age' && unit === 'm' ? 'min' : unit })}
              value={amount}
              onChange={event => setFilters(withLimit(tokens, limit, event.currentTarget.value, unit))}
            />
          );
        })}
      </div>
      <Checkbox
        checked={wordOf(tokens, 'is') === 'alerting'}
        onChange={event => setFilters(withWord(tokens, 'is', event.currentTarget.checked ? 'alerting' : ''))}
      >
        {t('filter.alerting')}
      </Checkbox>
      <p className={styles.hint}>{t('filter.hint')}</p>
      <Button disabled={tokens.length === 0} onClick={clearFilters}>
        {t('list.clearFilters')}
      </Button>
    </div>
  );
}

/** Groups by path. Tokens keep the path, too, because in a link it means something to the reader and an id doesn't. */
function pathOptions(
  groups: readonly { readonly id: string; readonly name: string; readonly parentId: string | null }[],
): Option[] {
  const nodes = groupTree(groups.map(group => ({ ...group, members: [] })));
  return [...allNodes(nodes)].map(({ id }) => {
    const path = pathOf(nodes, id);
    return { value: path.join('/'), label: path.join(' › ') };
  });
}
