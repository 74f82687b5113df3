import { suggestGeofences } from '@milepost/contract';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatTotal } from '../../format/duration.ts';
import { placeWords } from '../../format/place.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { addGeofence, useGeofences } from '../../geofences/use-geofences.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './VisitTabs.module.css';

/** Places where vehicles often stop outside any geofence. One click adds a geofence. */
export function SuggestionsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['geofence', 'forms']);
  const system = useMeasureSystem();
  const { data: geofences } = useGeofences();
  const { data, error } = useQuery({
    queryKey: ['geofence-suggestions'],
    queryFn: () => call(suggestGeofences),
    staleTime: 60_000,
  });
  /** Names of the added geofences. Their rows stay, so that the list doesn't move under the finger. */
  const [added, setAdded] = useState<ReadonlyMap<number, string>>(new Map());
  const add = useMutation({
    mutationFn: ({ name, nth }: { readonly name: string; readonly nth: number }) => {
      const suggested = data?.[nth];
      if (!suggested) throw new TypeError('Nothing is suggested there');
      const { center, radiusM } = suggested;
      return addGeofence({ name, shape: { kind: 'circle', center, radiusM } });
    },
    onSuccess: ({ name }, { nth }) => {
      setAdded(before => new Map([...before, [nth, name]]));
      toast(t('created', { name }));
    },
  });
  /** Returns a name that no other geofence has. */
  const freeName = (name: string): string => {
    const taken = new Set(geofences?.map(geofence => geofence.name.toLocaleLowerCase()));
    for (let number = 1; ; number++) {
      const tried = number === 1 ? name : `${name} ${number}`;
      if (!taken.has(tried.toLocaleLowerCase())) return tried;
    }
  };
  return (
    <Dialog open onClose={onClose} title={t('suggested.title')} closeLabel={t('forms:close')}>
      <p>{t('suggested.text')}</p>
      {(error ?? add.error) && (
        <Notice tone="critical" role="alert">
          {error ? t('suggested.failed', { message: describeError(error).message }) : describeError(add.error).message}
        </Notice>
      )}
      {!data && !error && (
        <p className={styles.quiet} aria-busy="true">
          {t('suggested.loading')}
        </p>
      )}
      {data?.length === 0 && <p className={styles.quiet}>{t('suggested.none')}</p>}
      {data && data.length > 0 && (
        <ul className={styles.suggested} aria-label={t('suggested.title')}>
          {data.map((suggested, nth) => {
            const { seconds, stops, vehicles } = suggested;
            const place = (placeWords(suggested, system) || t('suggested.nameless', { number: nth + 1 })).slice(0, 70);
            const name = added.get(nth) ?? freeName(place);
            const isAdded = added.has(nth);
            return (
              <li key={suggested.center.join(' ')}>
                <span>
                  <b>{name}</b>
                  <span className={styles.quiet}>
                    {t('suggested.stops', {
                      count: stops,
                      vehicles: t('suggested.vehicles', { count: vehicles }),
                      length: formatTotal(seconds * 1000),
                    })}
                  </span>
                </span>
                <Button
                  icon={
                    isAdded ? (
                      <IconCheck size={16} stroke={1.75} aria-hidden />
                    ) : (
                      <IconPlus size={16} stroke={1.75} aria-hidden />
                    )
                  }
                  aria-label={t(isAdded ? 'suggested.addedOf' : 'suggested.acceptOf', { name })}
                  aria-disabled={isAdded || undefined}
                  busy={add.isPending && add.variables.nth === nth}
                  onClick={() => !isAdded && add.mutate({ name, nth })}
                >
                  {t(isAdded ? 'suggested.added' : 'suggested.accept')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
