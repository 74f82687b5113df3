import { useTranslation } from 'react-i18next';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { useRuleTexts } from '../../rules/rule-words.ts';
import { AddList } from '../../ui/AddList.tsx';

interface Props {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /** Whoever shows them in another way. */
  readonly children?: React.ReactNode;
}

/** Some geofences. */
export function GeofenceTokens({ ids, onChange, children }: Props) {
  const { t } = useTranslation('rules');
  const { word } = useRuleTexts();
  const { data: geofences = [] } = useGeofences();
  return (
    <AddList
      label={t('field.geofence')}
      placeholder={t('field.addGeofence')}
      options={geofences.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={ids}
      onChange={onChange}
      removeLabel={name => t('remove', { name })}
      goneLabel={word.gone}
    >
      {children}
    </AddList>
  );
}
