import { suggestGeofences } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
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

/** Where vehicles stop often and no geofence is; one click makes it one. */
export function SuggestionsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['geofence', 'forms']);
  const system = useMeasureSystem();
  const { data: geofences } = useGeofences();
  const { data, error } = useQuery({
    queryKey: ['geofence-suggestions'],
    queryFn: () => call(suggestGeofences),
    staleTime: 60_000,
  });
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const add = useMutation({
    mutationFn: ({ name, nth }: { readonly name: string; readonly nth: number }) => {
      const suggested = data?.[nth];
      if (!suggested) throw new TypeError('Nothing is suggested there');
      const { center, radiusM } = suggested;
      return addGeofence({ name, shape: { kind: 'circle', center, radiusM } });
    },
    onSuccess: ({ name }, { nth }) => {
      setAdded(before => new Set([...before, nth]));
      toast(t('created', { name }));
    },
  });
  /** No two geofences have the same name. */
  const freeName = (name: string): string => {
    const taken = new Set(geofences?.map(geofence => geofence.name.toLocaleLowerCase()));
    for (let number = 1; ; number++) {
      const tried = number === 1 ? name : `${name} ${number}`;
      if (!taken.has(tried.toLocaleLowerCase())) return tried;
    }
  };
  const left = data?.flatMap((suggested, nth) => (added.has(nth) ? [] : [{ ...suggested, nth }]));
  return (
    <Dialog open onClose={onClose} title={t('suggested.title')} closeLabel={t('forms:close')}>
      <p>{t('suggested.text')}</p>
      {(error ?? add.error) && (
        <Notice tone="critical" role="alert">
          {error ? t('suggested.failed', { message: describeError(error).message }) : describeError(add.error).message}
        </Notice>
      )}
      {!data && !error && <div aria-busy="true" />}
      {left?.length === 0 && <p className={styles.quiet}>{t('suggested.none')}</p>}
      {left && left.length > 0 && (
        <ul className={styles.suggested} aria-label={t('suggested.title')}>
          {left.map(suggested => {
            const { nth, seconds, stops, vehicles } = suggested;
            const name = freeName(
              (placeWords(suggested, system) || t('suggested.nameless', { number: nth + 1 })).slice(0, 70),
            );
            return (
              <li key={nth}>
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
                  icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
                  busy={add.isPending && add.variables.nth === nth}
                  onClick={() => add.mutate({ name, nth })}
                >
                  {t('suggested.accept')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
