import { CHANGEABLE_BUILT_IN_KINDS, isAboutVehicle, may, type Vehicle, type VehicleMute } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { nameCollator } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useMinute } from '../../live/view.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { type Option, SelectField } from '../../ui/SelectField.tsx';
import { isForVehicle } from '../is-for-vehicle.ts';
import { MUTE_LENGTHS, type MuteLength, muteFor, nextMorning } from '../mute-times.ts';
import { useRules } from '../use-rules.ts';
import styles from './MuteVehicleDialog.module.css';
import { setVehicleMute } from './vehicle-mutes.ts';

/** All alerts; a rule has an ID, a built-in alert a kind. */
const ALL = '';
const NO_FOLDERS = [] as const;

interface Props {
  readonly vehicle: Pick<Vehicle, 'id' | 'deviceName'>;
  /** What is chosen at first; all alerts if left out. */
  readonly about?: VehicleMute['about'];
  /** Its name, if it is a rule. */
  readonly name?: string | null;
  readonly onClose: () => void;
}

/** Mutes one vehicle for a while, such as one in the workshop: all its alerts, or those of one rule. */
export function Component({ about = null, name = null, onClose, vehicle }: Props) {
  const { t } = useTranslation(['vehicleMutes', 'alerts', 'forms']);
  const nowMs = useMinute();
  const [chosen, setChosen] = useState(about ?? ALL);
  const [length, setLength] = useState<MuteLength>('hour');
  const options = useAlertOptions(vehicle, about, name);
  const lengths = MUTE_LENGTHS.map(value => ({
    value,
    label: t(`length.${value}`, { time: formatMoment(nextMorning(nowMs), nowMs) }),
  }));
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const mute = muteFor(length, Date.now());
      await setVehicleMute(vehicle.id, chosen === ALL ? null : chosen, mute);
      return mute;
    },
    onSuccess: ({ until }) => {
      const said = { vehicle: vehicle.deviceName, time: until === null ? '' : formatMoment(Date.parse(until), nowMs) };
      toast(t(until === null ? 'done' : 'doneUntil', said));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('title', { vehicle: vehicle.deviceName })} closeLabel={t('forms:close')}>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <p>{t(chosen === ALL ? 'textAll' : 'text')}</p>
      <div className={styles.fields}>
        <SelectField
          label={t('which')}
          options={options}
          value={chosen}
          onChange={event => setChosen(event.currentTarget.value)}
        />
        <SelectField
          label={t('howLong')}
          options={lengths}
          value={length}
          onChange={event => setLength(MUTE_LENGTHS.find(one => one === event.currentTarget.value) ?? 'hour')}
        />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          {t('action')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** All alerts, the rules that watch the vehicle, and what is built in. */
function useAlertOptions(
  vehicle: Props['vehicle'],
  about: VehicleMute['about'],
  name: string | null,
): readonly Option[] {
  const { t } = useTranslation(['vehicleMutes', 'alerts']);
  const mayRead = useSession(({ me }) => me !== null && may(me, 'rules.read'));
  const { data: rules = [] } = useRules({ enabled: mayRead });
  const { data: vehicles } = useQuery(vehicleListQuery);
  const folderId = vehicles?.find(({ id }) => id === vehicle.id)?.folderId ?? null;
  const folders = useOrganisation(state => state.folders) ?? NO_FOLDERS;
  const own = rules
    .filter(rule => rule.isOn && isForVehicle(rule, { id: vehicle.id, folderId }, folders))
    .map(rule => ({ value: rule.id, label: rule.name }));
  const builtIn = CHANGEABLE_BUILT_IN_KINDS.filter(isAboutVehicle).map(kind => ({
    value: kind,
    label: t(`alerts:kind.${kind}`),
  }));
  const named =
    about === null || name === null || own.some(({ value }) => value === about) ? [] : [{ value: about, label: name }];
  const byName = nameCollator();
  return [
    { value: ALL, label: t('all') },
    ...[...named, ...own].toSorted((a, b) => byName.compare(a.label, b.label)),
    ...builtIn,
  ];
}
