import { RULE_OTHERS_MAX } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Form } from '../../forms/use-form.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useRuleTexts } from '../../rules/rule-words.ts';
import { SelectField } from '../../ui/SelectField.tsx';
import { Token } from '../../ui/Token.tsx';
import styles from './RuleForm.module.css';
import type { RuleValues } from './rule-form.ts';

/** The vehicles that each of the rule's vehicles is compared with. */
export function OthersEditor({ form }: { readonly form: Form<RuleValues> }) {
  const { t } = useTranslation('rules');
  const { word } = useRuleTexts();
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const chosen = form.values['trigger.otherIds'];
  const nameOf = (id: string): string => vehicles.find(vehicle => vehicle.id === id)?.deviceName ?? word.gone;
  return (
    <>
      <SelectField
        label={t('field.others')}
        value=""
        disabled={chosen.length >= RULE_OTHERS_MAX}
        options={[
          { value: '', label: t('field.addVehicle') },
          ...vehicles
            .filter(({ id }) => !chosen.includes(id))
            .map(({ id, deviceName }) => ({ value: id, label: deviceName })),
        ]}
        onChange={event => {
          const { value } = event.currentTarget;
          if (value !== '') form.set('trigger.otherIds', [...chosen, value]);
        }}
      />
      <p className={styles.quiet}>{t('field.othersHint', { max: RULE_OTHERS_MAX })}</p>
      <div className={styles.tokens}>
        {chosen.map(id => (
          <Token
            key={id}
            removeLabel={t('remove', { name: nameOf(id) })}
            onRemove={() =>
              form.set(
                'trigger.otherIds',
                chosen.filter(one => one !== id),
              )
            }
          >
            {nameOf(id)}
          </Token>
        ))}
      </div>
    </>
  );
}
