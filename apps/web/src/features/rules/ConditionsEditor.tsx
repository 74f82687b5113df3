import { listDrivers } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import type { Form } from '../../forms/use-form.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Choices } from './Choices.tsx';
import styles from './RulesPage.module.css';
import { IGNITIONS, type RuleValues } from './rule-form.ts';

interface Props {
  readonly form: Form<RuleValues>;
  /** There are no speed and no ignition to ask for. */
  readonly onlyDrivers: boolean;
}

/** What else must be true: who drives, how fast, with which ignition. */
export function ConditionsEditor({ form, onlyDrivers }: Props) {
  const { t } = useTranslation('rules');
  const system = useMeasureSystem();
  const { data: drivers = [] } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const departments = useOrganisation(state => state.departments) ?? [];
  const chosen = form.values['conditions.drivers'];
  const lists = (
    [
      ['departmentIds', departments],
      ['driverIds', drivers],
    ] as const
  ).filter(([, list]) => list.length > 0);
  return (
    <>
      <Choices
        legend={t('conditions.who')}
        name="drivers"
        options={(['anyone', 'these'] as const).map(value => ({ value, label: t(`conditions.${value}`) }))}
        chosen={chosen === null ? 'anyone' : 'these'}
        onChoose={who =>
          form.set('conditions.drivers', who === 'anyone' ? null : (chosen ?? { driverIds: [], departmentIds: [] }))
        }
      />
      {chosen !== null && lists.length === 0 && <p className={styles.quiet}>{t('conditions.noDrivers')}</p>}
      {chosen !== null &&
        lists.map(([kind, list]) => (
          <fieldset key={kind} className={`${styles.choices} ${styles.people}`}>
            <legend>{t(`conditions.${kind}`)}</legend>
            {list.map(({ id, name }) => (
              <Checkbox
                key={id}
                checked={chosen[kind].includes(id)}
                onChange={event =>
                  form.set('conditions.drivers', {
                    ...chosen,
                    [kind]: event.currentTarget.checked
                      ? [...chosen[kind], id]
                      : chosen[kind].filter(one => one !== id),
                  })
                }
              >
                {name}
              </Checkbox>
            ))}
          </fieldset>
        ))}
      {!onlyDrivers && (
        <>
          <TextField
            {...form.text('conditions.fromKmh')}
            label={t('conditions.fromSpeed', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })}
            hint={t('conditions.fromHint')}
            inputMode="decimal"
          />
          <Choices
            legend={t('conditions.ignition')}
            name="ignition"
            options={IGNITIONS.map(value => ({ value, label: t(`ignitionText.${value}`) }))}
            chosen={form.values['conditions.ignition']}
            onChoose={value => form.set('conditions.ignition', value)}
          />
        </>
      )}
    </>
  );
}
