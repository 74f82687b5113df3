import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { describeValue } from '../../../search-tokens/describe-token.ts';
import { NOBODY, TRAITS, type WordField } from '../../../search-tokens/fields.ts';
import { type Search, toggleValue, valuesOf, withToken } from '../../../search-tokens/search-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import styles from './Filter.module.css';
import { SizeForm } from './SizeForm.tsx';

/** The values offered for filters. */
export interface FilterChoices {
  /** Folders by their whole path, separated by slashes. */
  readonly folders: readonly string[];
  readonly tags: readonly string[];
}

interface Props {
  readonly search: Search;
  readonly onSearch: (search: Search) => void;
  readonly choices: FilterChoices;
}

/** The filters, opened by a button. */
export function FilterMenu(props: Props) {
  const { t } = useTranslation('registry');
  return (
    <Popover
      label={t('filters')}
      trigger={trigger => (
        <Button {...trigger} icon={<IconPlus size={16} stroke={1.75} aria-hidden />}>
          {t('filter')}
        </Button>
      )}
    >
      <div className={styles.menu}>
        <FilterForm {...props} />
      </div>
    </Popover>
  );
}

/** All filters as form fields, for users who don't know how to type them. */
export function FilterForm({ search, onSearch, choices }: Props) {
  const { t } = useTranslation('fleet');
  const { t: words } = useTranslation(['searchTokens', 'vehicle']);
  const boxes = (field: WordField, values: readonly string[]) => {
    const chosen = valuesOf(search, field);
    return (
      values.length > 0 && (
        <fieldset className={styles.set}>
          <legend>{field === 'is' ? t('filter.also') : words(`fields.${field}`)}</legend>
          <div className={styles.options}>
            {values.map(value => (
              <Checkbox
                key={value}
                checked={chosen.includes(value)}
                onChange={() => onSearch(toggleValue(search, field, value))}
              >
                {field === 'status'
                  ? words(`vehicle:status.${value as VehicleStatus}`)
                  : capital(describeValue(field, value, words).replaceAll('/', ' › '))}
              </Checkbox>
            ))}
          </div>
        </fieldset>
      )
    );
  };
  return (
    <>
      {boxes('status', VEHICLE_STATUSES)}
      {boxes('is', TRAITS)}
      {boxes('folder', choices.folders.length > 0 ? [...choices.folders, NOBODY] : [])}
      {boxes('tag', choices.tags)}
      {boxes('driver', [NOBODY])}
      <SizeForm onAdd={token => onSearch(withToken(search, token))} />
      <p className={styles.hint}>{t('filter.hint')}</p>
    </>
  );
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
