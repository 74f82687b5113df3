import { isAboutGeofences } from '@milepost/contract';
import { IconArrowUp, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Form } from '../../forms/use-form.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { useRuleTexts } from '../../rules/rule-words.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Choices } from './Choices.tsx';
import { GeofenceTokens } from './GeofenceTokens.tsx';
import styles from './RuleForm.module.css';
import type { RuleValues } from './rule-form.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Which geofences a rule is about, or where it counts; of an order of visits, in that order. */
export function PlacesEditor({ form: { set, values } }: { readonly form: Form<RuleValues> }) {
  const { t } = useTranslation('rules');
  const { word } = useRuleTexts();
  const { data: geofences = [] } = useGeofences();
  const isAbout = isAboutGeofences(values.kind);
  const { geofenceIds } = values;
  const isOrder = values.kind === 'order';
  const needsOne = values.kind === 'absent' || isOrder;
  const kinds = [
    ...(needsOne ? [] : [{ value: 'any' as const, label: t(isAbout ? 'placesText.any' : 'placesText.anywhere') }]),
    { value: 'inside' as const, label: t(isAbout ? 'placesText.these' : 'placesText.inside') },
    ...(isAbout ? [] : [{ value: 'outside' as const, label: t('placesText.outside') }]),
  ];
  const nameOf = (id: string): string => geofences.find(one => one.id === id)?.name ?? word.gone;
  const without = (id: string) => geofenceIds?.filter(one => one !== id) ?? [];
  const chosen = needsOne ? 'inside' : geofenceIds === null ? 'any' : isAbout ? 'inside' : values.where;
  return (
    <>
      <Choices
        legend={t('edit.places')}
        name="places"
        options={kinds}
        chosen={chosen}
        onChoose={kind => {
          set('geofenceIds', kind === 'any' ? null : (geofenceIds ?? []));
          if (kind !== 'any') set('where', kind);
        }}
      />
      {(geofenceIds !== null || needsOne) && (
        <GeofenceTokens ids={geofenceIds ?? []} onChange={ids => set('geofenceIds', ids)}>
          {isOrder && (
            <ol className={styles.order} aria-label={t('field.order')}>
              {geofenceIds?.map((id, nth) => (
                <li key={id}>
                  <span>{nameOf(id)}</span>
                  <IconButton
                    label={t('moveUp', { name: nameOf(id) })}
                    disabled={nth === 0}
                    onClick={() => set('geofenceIds', without(id).toSpliced(nth - 1, 0, id))}
                  >
                    <IconArrowUp {...ICON} />
                  </IconButton>
                  <IconButton label={t('remove', { name: nameOf(id) })} onClick={() => set('geofenceIds', without(id))}>
                    <IconX {...ICON} />
                  </IconButton>
                </li>
              ))}
            </ol>
          )}
        </GeofenceTokens>
      )}
    </>
  );
}
