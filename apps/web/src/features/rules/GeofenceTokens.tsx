import { useTranslation } from 'react-i18next';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { useRuleTexts } from '../../rules/rule-words.ts';
import { SelectField } from '../../ui/SelectField.tsx';
import { Token } from '../../ui/Token.tsx';
import styles from './RuleForm.module.css';

interface Props {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /** Whoever shows them in another way. */
  readonly children?: React.ReactNode;
}

/** Some geofences: one is added by choosing it, and each is a token that can be removed. */
export function GeofenceTokens({ ids, onChange, children }: Props) {
  const { t } = useTranslation('rules');
  const { word } = useRuleTexts();
  const { data: geofences = [] } = useGeofences();
  const nameOf = (id: string): string => geofences.find(one => one.id === id)?.name ?? word.gone;
  return (
    <>
      <SelectField
        label={t('field.geofence')}
        value=""
        options={[
          { value: '', label: t('field.addGeofence') },
          ...geofences.filter(({ id }) => !ids.includes(id)).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={event => {
          const { value } = event.currentTarget;
          if (value !== '') onChange([...ids, value]);
        }}
      />
      {children || (
        <div className={styles.tokens}>
          {ids.map(id => (
            <Token
              key={id}
              removeLabel={t('remove', { name: nameOf(id) })}
              onRemove={() => onChange(ids.filter(one => one !== id))}
            >
              {nameOf(id)}
            </Token>
          ))}
        </div>
      )}
    </>
  );
}
