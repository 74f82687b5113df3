import type { MyDuty } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { useAct } from '../use-act.ts';
import { useView } from '../view.ts';
import type { SheetProps } from './sheet-props.ts';
import { Team } from './Team.tsx';

const RESTED = ['OFF', 'SB', 'ON'] as const;
/** Longer lists have a search. */
const SHORT_LIST = 8;

/** Signing in to and out of a vehicle, the shipment, and co-drivers. */
export function VehicleSheet({ duty, onClose }: SheetProps) {
  return duty.vehicle ? (
    <SignedIn duty={duty} vehicle={duty.vehicle} onClose={onClose} />
  ) : (
    <Choose duty={duty} onClose={onClose} />
  );
}

function Choose({ duty, onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const [search, setSearch] = useState('');
  const { scanned } = useView();
  const here = duty.vehicles.find(({ id }) => id === scanned);
  const signIn = async ({ deviceName, id }: MyDuty['vehicles'][number]) => {
    if (busy) return;
    if (await run({ kind: 'sign-in', vehicleId: id }, t('vehicle.signedIn', { name: deviceName }))) onClose();
  };
  const wanted = search.trim().toLowerCase();
  const found = duty.vehicles
    .filter(({ deviceName, plate }) => `${deviceName} ${plate ?? ''}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(b.isUsual) - Number(a.isUsual) || a.deviceName.localeCompare(b.deviceName));
  if (duty.vehicles.length === 0) return <p className={styles.form}>{t('vehicle.noVehicles')}</p>;
  return (
    <div className={styles.form}>
      {here && (
        <>
          <p>{t('vehicle.scanned', { name: here.deviceName })}</p>
          <Button variant="primary" size="large" wide busy={busy} data-autofocus onClick={() => void signIn(here)}>
            {t('vehicle.signIn', { name: here.deviceName })}
          </Button>
        </>
      )}
      {scanned !== null && !here && <Notice tone="warning">{t('vehicle.scannedUnknown')}</Notice>}
      {duty.vehicles.length > SHORT_LIST && (
        <TextField label={t('vehicle.find')} value={search} onChange={event => setSearch(event.target.value)} />
      )}
      <ul className={styles.rows} aria-label={t('vehicle.choose')}>
        {found.slice(0, 50).map(vehicle => (
          <li key={vehicle.id}>
            <button
              type="button"
              aria-label={t('vehicle.signIn', { name: vehicle.deviceName })}
              aria-disabled={busy || undefined}
              onClick={() => void signIn(vehicle)}
            >
              <span>
                <Plate>{vehicle.deviceName}</Plate>
              </span>
              <span>{vehicle.plate}</span>
              {vehicle.isUsual && <small className={styles.quiet}>{t('vehicle.usual')}</small>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SignedInProps extends SheetProps {
  readonly vehicle: NonNullable<MyDuty['vehicle']>;
}

function SignedIn({ duty, onClose, vehicle }: SignedInProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { busy, run } = useAct();
  const [trailers, setTrailers] = useState(duty.trailers);
  const [shippingDocument, setDocument] = useState(duty.shippingDocument);
  const [status, setStatus] = useState<(typeof RESTED)[number]>('OFF');
  const { open, scanned } = useView();
  const name = vehicle.deviceName;
  const other = duty.vehicles.find(({ id }) => id === scanned && id !== vehicle.id);
  return (
    <div className={styles.form}>
      {scanned === vehicle.id && <Notice tone="ok">{t('vehicle.scannedHere', { name })}</Notice>}
      {other && <Notice tone="warning">{t('vehicle.scannedOther', { name: other.deviceName, current: name })}</Notice>}
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          void run(
            { kind: 'load', trailers: trailers.trim(), shippingDocument: shippingDocument.trim() },
            t('vehicle.loadSaved'),
          );
        }}
      >
        <TextField
          label={t('vehicle.trailers')}
          value={trailers}
          maxLength={32}
          autoComplete="off"
          onChange={event => setTrailers(event.target.value)}
        />
        <TextField
          label={t('vehicle.shippingDocument')}
          value={shippingDocument}
          maxLength={40}
          autoComplete="off"
          onChange={event => setDocument(event.target.value)}
        />
        <Button type="submit" variant="primary" size="large" wide busy={busy}>
          {t('vehicle.saveLoad')}
        </Button>
      </form>
      <Team duty={duty} vehicle={vehicle} onClose={onClose} />
      {duty.toCertify.length > 0 && (
        <>
          <Notice tone="warning">{t('vehicle.certifyFirst')}</Notice>
          <Button size="large" wide onClick={() => open('certify')}>
            {t('certify.title')}
          </Button>
        </>
      )}
      <SelectField
        label={t('vehicle.signOutAs')}
        options={RESTED.map(one => ({ value: one, label: t(`logbook:status.${one}`) }))}
        value={status}
        onChange={event => setStatus(RESTED.find(one => one === event.target.value) ?? 'OFF')}
      />
      <Button
        size="large"
        wide
        busy={busy}
        onClick={async () => {
          if (await run({ kind: 'sign-out', status }, t('vehicle.signedOut', { name }))) onClose();
        }}
      >
        {t('vehicle.signOut', { name })}
      </Button>
    </div>
  );
}
