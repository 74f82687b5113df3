import {
  type PrivateHours as Hours,
  listDrivers,
  listPrivateHours,
  may,
  type PrivateTimes,
  setPrivateHours,
} from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { dayName, privateDays } from '../../../privacy/private-days.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './PrivateHours.module.css';

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const;

/** The weekly private hours of drivers and vehicles, and a way to set them. */
export function PrivateHours() {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'privacy.write'));
  const { data, error, refetch } = useQuery({ queryKey: ['private-hours'], queryFn: () => call(listPrivateHours) });
  const set = useMutation({
    mutationFn: ({ of, times }: { readonly of: string; readonly times: PrivateTimes; readonly name: string }) => {
      const [kind, id = ''] = of.split(':');
      const whose = { driverId: kind === 'driver' ? id : null, vehicleId: kind === 'vehicle' ? id : null };
      return call(setPrivateHours, { body: { ...whose, times } });
    },
    onSuccess: (hours, { name, times }) => {
      queries.setQueryData(['private-hours'], hours);
      toast(t(times.length > 0 ? 'privacy.privateTime.setToast' : 'privacy.privateTime.endedToast', { name }));
    },
  });
  return (
    <Card title={t('privacy.privateTime.hours')} text={t('privacy.privateTime.hoursText')}>
      {data === undefined && <ReadState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{t('privacy.privateTime.noHours')}</p>}
      <ul className={styles.list}>
        {data?.map(hours => (
          <Row
            key={keyOf(hours)}
            hours={hours}
            onEnd={mayWrite ? () => set.mutate({ of: keyOf(hours), name: nameOf(hours), times: [] }) : null}
          />
        ))}
      </ul>
      {set.error && (
        <Notice tone="critical" role="alert">
          {describeError(set.error).message}
        </Notice>
      )}
      {mayWrite && <NewHours onSet={(of, name, times) => set.mutate({ of, name, times })} isBusy={set.isPending} />}
    </Card>
  );
}

const keyOf = ({ driver, vehicle }: Hours): string => (driver ? `driver:${driver.id}` : `vehicle:${vehicle?.id}`);
const nameOf = ({ driver, vehicle }: Hours): string => driver?.name ?? vehicle?.name ?? '';

function Row({ hours, onEnd }: { readonly hours: Hours; readonly onEnd: (() => void) | null }) {
  const { t } = useTranslation('settings');
  const name = nameOf(hours);
  return (
    <li>
      <span>
        <b>{t(`privacy.privateTime.${hours.driver ? 'driverGroup' : 'vehicleGroup'}`, { name })}</b>
        {hours.times.map(({ days, from, to }) => (
          <span key={`${days.join()}-${from}`}>
            {t(`privacy.privateTime.${from === to ? 'wholeDays' : 'days'}`, {
              ...{ days: privateDays(days), from, to, zone: zoneWords(hours.zone) },
            })}
          </span>
        ))}
      </span>
      {onEnd && (
        <Button variant="text" onClick={onEnd} aria-label={t('privacy.privateTime.remove', { name })}>
          {t('privacy.privateTime.end')}
        </Button>
      )}
    </li>
  );
}

const zoneWords = (zone: string): string => zone.replaceAll('_', ' ');

interface NewProps {
  readonly onSet: (of: string, name: string, times: PrivateTimes) => void;
  readonly isBusy: boolean;
}

function NewHours({ isBusy, onSet }: NewProps) {
  const { t } = useTranslation('settings');
  const [of, setOf] = useState('');
  const [days, setDays] = useState<readonly number[]>([6, 7]);
  const [from, setFrom] = useState('00:00');
  const [to, setTo] = useState('00:00');
  const legend = useId();
  const { data: drivers = [] } = useQuery({ queryKey: ['drivers-of-ledger'], queryFn: () => call(listDrivers) });
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const names = new Map<string, string>([
    ...drivers.filter(({ archived }) => !archived).map(({ id, name }) => [`driver:${id}`, name] as const),
    ...vehicles.map(({ deviceName, id }) => [`vehicle:${id}`, deviceName] as const),
  ]);
  return (
    <div className={styles.form}>
      <SelectField
        label={t('privacy.privateTime.whose')}
        value={of}
        onChange={event => setOf(event.target.value)}
        options={[
          { value: '', label: t('privacy.privateTime.chooseWhose') },
          ...Array.from(names, ([value, name]) => ({
            value,
            label: t(`privacy.privateTime.${value.startsWith('driver') ? 'driverGroup' : 'vehicleGroup'}`, { name }),
          })),
        ]}
      />
      <fieldset className={styles.days} aria-labelledby={legend}>
        <legend id={legend}>{t('privacy.privateTime.weekdays')}</legend>
        {WEEK.map(day => (
          <label key={day} data-on={days.includes(day) || undefined}>
            <input
              type="checkbox"
              checked={days.includes(day)}
              aria-label={dayName(day, 'long')}
              onChange={event =>
                setDays(event.currentTarget.checked ? [...days, day].toSorted() : days.filter(one => one !== day))
              }
            />
            <span aria-hidden="true">{dayName(day)}</span>
          </label>
        ))}
      </fieldset>
      <div className={styles.times}>
        <TextField
          type="time"
          label={t('privacy.privateTime.begin')}
          value={from}
          onChange={event => setFrom(event.currentTarget.value)}
        />
        <TextField
          type="time"
          label={t('privacy.privateTime.finish')}
          value={to}
          onChange={event => setTo(event.currentTarget.value)}
        />
        <Button
          busy={isBusy}
          disabled={of === '' || days.length === 0 || from === '' || to === ''}
          onClick={() => onSet(of, names.get(of) ?? '', [{ days: [...days], from, to }])}
        >
          {t('privacy.privateTime.add')}
        </Button>
      </div>
    </div>
  );
}
