import {
  FUEL_TYPES,
  listDrivers,
  may,
  newVehicleSchema,
  updateVehicle,
  VEHICLE_TYPES,
  type Vehicle,
} from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { changedValues } from '../../../forms/field-messages.ts';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { DRIVERS_KEY } from '../../../organisation/driver-list.ts';
import type { GroupNode } from '../../../organisation/groups.ts';
import { ListField } from '../../../organisation/ListField.tsx';
import { useGroupList } from '../../../organisation/use-group-list.ts';
import { InspectorBody, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextArea, TextField } from '../../../ui/TextField.tsx';
import { protocolOptions } from '../../../vehicles/protocol-name.ts';
import { bodyOf, type VehicleValues, valuesOf } from '../../../vehicles/vehicle-form.ts';
import { vinCheckDigitMatches } from '../../../vehicles/vin.ts';
import styles from './EditVehicle.module.css';

interface Props {
  readonly vehicle: Vehicle;
  readonly nodes: readonly GroupNode[];
  readonly onDone: () => void;
}

/** All fields of a vehicle; only changes are sent. */
export function EditVehicle({ vehicle, nodes, onDone }: Props) {
  const { t } = useTranslation(['assets', 'vehicle', 'forms']);
  const system = useMeasureSystem();
  const me = useSession(session => session.me);
  const seesDrivers = me !== null && may(me, 'drivers.read');
  const seesFolders = me !== null && may(me, 'organisation.read');
  const folders = useGroupList('folder', nodes);
  const { data: drivers, error: driversError } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    enabled: seesDrivers,
  });
  const driversToChoose = drivers
    ?.filter(({ archived, id }) => !archived || id === vehicle.usualDriverId)
    .map(({ id, name }) => ({ value: id, label: name }));
  // Updates of the list must not change fields that someone is editing.
  const [initial] = useState(() => valuesOf(vehicle, system));
  const form = useForm<VehicleValues, typeof changeSchema, Vehicle>({
    schema: changeSchema,
    initial,
    toBody: values => bodyOf(changedValues(initial, values), system),
    save: body => call(updateVehicle, { params: { id: vehicle.id }, body }),
    onSaved: ({ deviceName }) => {
      toast(t('edit.saved', { name: deviceName }));
      void changedHere(['vehicle', vehicle.id]);
      onDone();
    },
    problemFields: { 'imei-taken': 'imei', 'tracker-id-taken': 'trackerId', 'name-taken': 'deviceName' },
  });
  const optional = t('forms:optional');
  const none = { value: '', label: t('edit.notSaid') };
  const vin = form.values.vin;

  return (
    <FormFrame form={form} guarded label={t('edit.label', { name: vehicle.deviceName })}>
      <InspectorBody>
        <TextField {...form.text('deviceName')} label={t('facts.name')} autoComplete="off" maxLength={60} />
        <div className={styles.pair}>
          <TextField {...form.text('plate')} label={t('facts.plate')} optional={optional} autoComplete="off" />
          <SelectField
            {...form.text('type')}
            label={t('facts.type')}
            optional={optional}
            options={[none, ...VEHICLE_TYPES.map(type => ({ value: type, label: t(`vehicle:type.${type}`) }))]}
          />
        </div>
        <div className={styles.pair}>
          <TextField {...form.text('make')} label={t('facts.make')} optional={optional} autoComplete="off" />
          <TextField {...form.text('model')} label={t('facts.model')} optional={optional} autoComplete="off" />
        </div>
        <div className={styles.pair}>
          <TextField
            {...form.text('year')}
            label={t('facts.year')}
            optional={optional}
            inputMode="numeric"
            autoComplete="off"
          />
          <SelectField
            {...form.text('fuelType')}
            label={t('facts.fuel')}
            optional={optional}
            options={[none, ...FUEL_TYPES.map(fuel => ({ value: fuel, label: t(`vehicle:fuel.${fuel}`) }))]}
          />
        </div>
        <div className={styles.pair}>
          <TextField
            {...form.text('tankLitres')}
            label={t(`edit.tank.${system.volume}`)}
            optional={optional}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField
            {...form.text('odometerOffsetKm')}
            label={t(`edit.offset.${system.distance}`)}
            optional={optional}
            inputMode="decimal"
            autoComplete="off"
          />
        </div>
        <TextField
          {...form.text('speedLimitKmh')}
          label={t('edit.speedLimit', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })}
          hint={t('edit.speedLimitHint')}
          optional={optional}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField
          {...form.text('vin')}
          label={t('facts.vin')}
          optional={optional}
          hint={vinCheckDigitMatches(vin) === false ? t('edit.vinDoubt') : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        {seesFolders && (
          <ListField {...form.text('folderId')} label={t('columns.folder')} none={t('noFolder')} {...folders} />
        )}
        {seesDrivers && (
          <ListField
            {...form.text('usualDriverId')}
            label={t('edit.usualDriver')}
            optional={optional}
            hint={t('edit.usualDriverHint')}
            none={t('noDriver')}
            list={driversToChoose ?? null}
            readError={driversError}
          />
        )}
        <TextField
          {...form.text('tags')}
          label={t('facts.tags')}
          optional={optional}
          hint={t('edit.tagsHint')}
          autoComplete="off"
        />
        <TextField
          {...form.text('imei')}
          label={t('facts.imei')}
          hint={t('edit.imeiHint')}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          {...form.text('trackerId')}
          label={t('facts.trackerId')}
          hint={t('edit.trackerIdHint')}
          optional={optional}
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          {...form.text('protocol')}
          label={t('edit.protocol')}
          hint={t('edit.protocolHint')}
          options={protocolOptions(t('edit.protocolAuto'))}
        />
        <TextField
          {...form.text('trackerAddresses')}
          label={t('edit.addresses')}
          hint={t('edit.addressesHint')}
          optional={optional}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={styles.pair}>
          <TextField
            {...form.text('trackerModel')}
            label={t('facts.trackerModel')}
            optional={optional}
            autoComplete="off"
          />
          <TextField {...form.text('simNumber')} label={t('facts.sim')} optional={optional} autoComplete="off" />
        </div>
        <TextArea {...form.text('notes')} label={t('facts.notes')} optional={optional} />
      </InspectorBody>
      <InspectorFoot>
        <SaveBar form={form}>
          <Button onClick={onDone}>{t('forms:cancel')}</Button>
        </SaveBar>
      </InspectorFoot>
    </FormFrame>
  );
}

const changeSchema = newVehicleSchema.partial();
