import { weekdayName } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useRuleReader } from '../../rules/rule-words.ts';
import styles from './RuleForm.module.css';
import { EVERY_DAY } from './rule-form.ts';

interface Props {
  readonly chosen: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
}

/** Days of the week. */
export function Days({ chosen, onChange }: Props) {
  const { t } = useTranslation('rules');
  const { language } = useRuleReader();
  return (
    <fieldset className={styles.days}>
      <legend>{t('field.days')}</legend>
      {EVERY_DAY.map(day => (
        <label key={day} data-on={chosen.includes(day) || undefined}>
          <input
            type="checkbox"
            checked={chosen.includes(day)}
            aria-label={weekdayName(day, language, 'long')}
            onChange={event =>
              onChange(event.currentTarget.checked ? [...chosen, day] : chosen.filter(one => one !== day))
            }
          />
          <span aria-hidden="true">{weekdayName(day, language)}</span>
        </label>
      ))}
    </fieldset>
  );
}
