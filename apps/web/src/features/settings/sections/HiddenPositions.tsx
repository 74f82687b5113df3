import { may, openHiddenPositions } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { joined, wireSpeedFigure } from '../../../format/measure.ts';
import { formatMoment } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './PrivateHours.module.css';

const HOUR_MS = 3_600_000;
const local = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Opens positions of private time, for an emergency: the driver reads who did and why. */
export function HiddenPositions() {
  const mayOpen = useSession(({ me }) => me !== null && may(me, 'privacy.write'));
  return mayOpen ? <Opening /> : null;
}

function Opening() {
  const { t } = useTranslation('settings');
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  // The vehicle's card leads here with it.
  const named = useSearchParams()[0].get('vehicle') ?? '';
  const [vehicle, setVehicle] = useState(named);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (named !== '') form.current?.querySelector<HTMLElement>('select, input')?.focus();
  }, [named]);
  const [from, setFrom] = useState(() => local(Date.now() - HOUR_MS));
  const [to, setTo] = useState(() => local(Date.now()));
  const [reason, setReason] = useState('');
  const open = useMutation({
    mutationFn: () => {
      const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      return call(openHiddenPositions, { params: { id: vehicle }, body: { ...period, reason } });
    },
  });
  const system = useMeasureSystem();
  const nowMs = Date.now();
  return (
    <Card title={t('privacy.privateTime.open')} text={t('privacy.privateTime.openText')}>
      <div className={styles.form} ref={form}>
        <SelectField
          label={t('privacy.privateTime.vehicle')}
          value={vehicle}
          onChange={event => setVehicle(event.target.value)}
          options={[
            { value: '', label: t('privacy.privateTime.chooseVehicle') },
            ...vehicles.map(({ deviceName, id }) => ({ value: id, label: deviceName })),
          ]}
        />
        <div className={styles.moments}>
          <TextField
            type="datetime-local"
            label={t('privacy.privateTime.begin')}
            value={from}
            onChange={event => setFrom(event.currentTarget.value)}
          />
          <TextField
            type="datetime-local"
            label={t('privacy.privateTime.finish')}
            value={to}
            onChange={event => setTo(event.currentTarget.value)}
          />
        </div>
        <TextField
          label={t('privacy.privateTime.reason')}
          hint={t('privacy.privateTime.reasonHint')}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={event => setReason(event.currentTarget.value)}
        />
        {open.error && (
          <Notice tone="critical" role="alert">
            {describeError(open.error).message}
          </Notice>
        )}
        <div>
          <Button
            busy={open.isPending}
            disabled={vehicle === '' || from === '' || to === '' || reason.trim().length < 10}
            onClick={() => open.mutate()}
          >
            {t('privacy.privateTime.opens')}
          </Button>
        </div>
      </div>
      <div className={styles.table} aria-live="polite">
        {open.data?.positions.length === 0 && <p>{t('privacy.privateTime.noPositions')}</p>}
        {open.data && open.data.positions.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">{t('privacy.privateTime.at')}</th>
                <th scope="col">{t('privacy.privateTime.place')}</th>
                <th scope="col">{t('privacy.privateTime.speed')}</th>
              </tr>
            </thead>
            <tbody>
              {open.data.positions.toReversed().map(({ address, at, lat, lon, speed }) => (
                <tr key={at}>
                  <td>{formatMoment(Date.parse(at), nowMs)}</td>
                  <td>
                    {address && <>{address} · </>}
                    {lat.toFixed(5)}, {lon.toFixed(5)}
                  </td>
                  <td>{speed === null ? '–' : joined(wireSpeedFigure(speed, system))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Card>
  );
}
