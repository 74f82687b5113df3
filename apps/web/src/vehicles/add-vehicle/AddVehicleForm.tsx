import { createVehicle, newVehicleSchema, type RouteAnswer } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { changedHere } from '../../changes/apply-changes.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { groupTree } from '../../organisation/groups.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { groupOptions } from '../../organisation/use-group-list.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { protocolOptions } from '../protocol-name.ts';
import { reportedIdentity } from './reported-identity.ts';

export type AddedVehicle = RouteAnswer<typeof createVehicle>;

interface Props {
  /** What an unknown tracker identifies itself with: its IMEI or an ID of its own. */
  readonly imei: string;
  readonly folderId: string | null;
  readonly onAdded: (vehicle: AddedVehicle) => void;
  /** Omit it if the page has another way to cancel. */
  readonly onCancel?: () => void;
}

/** The contract's schema validates the form here and on the server. Typed text is kept [R5.03, R8.05]. */
export function AddVehicleForm({ imei: said, folderId, onAdded, onCancel }: Props) {
  const { t } = useTranslation(['addVehicle', 'forms']);
  const folders = useOrganisation(state => state.folders);
  const { imei, trackerId } = reportedIdentity(said);
  const form = useForm({
    schema: newVehicleSchema,
    initial: {
      imei,
      trackerId,
      protocol: '',
      deviceName: '',
      plate: '',
      make: '',
      model: '',
      vin: '',
      folderId: folderId ?? '',
    },
    save: body => call(createVehicle, { body }),
    onSaved: vehicle => {
      // Adds the vehicle to the list and subscribes its topic before its first report.
      void changedHere(['vehicle', vehicle.id]);
      onAdded(vehicle);
    },
    problemFields: {
      'imei-taken': 'imei',
      'tracker-id-taken': 'trackerId',
      'name-taken': 'deviceName',
      'not-found': 'folderId',
    },
  });
  const optional = t('forms:optional');
  const folderOptions = groupOptions(groupTree((folders ?? []).map(folder => ({ ...folder, members: [] }))));
  return (
    <FormFrame form={form} label={t('title')}>
      <p>{t('intro')}</p>
      <TextField
        {...form.text('imei')}
        label={t('imei')}
        hint={t('imeiHint')}
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        {...(imei === '' && { 'data-autofocus': true })}
      />
      <TextField
        {...form.text('trackerId')}
        label={t('trackerId')}
        hint={t('trackerIdHint')}
        optional={optional}
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField
        {...form.text('protocol')}
        label={t('protocol')}
        hint={t('protocolHint')}
        options={protocolOptions(t('protocolAuto'))}
      />
      <TextField
        {...form.text('deviceName')}
        label={t('deviceName')}
        hint={t('deviceNameHint')}
        autoComplete="off"
        spellCheck={false}
        {...(imei !== '' && { 'data-autofocus': true })}
      />
      {folderOptions.length > 0 && (
        <SelectField
          {...form.text('folderId')}
          label={t('folder')}
          options={[{ value: '', label: t('noFolder') }, ...folderOptions]}
        />
      )}
      <TextField {...form.text('plate')} label={t('plate')} optional={optional} autoComplete="off" />
      <TextField {...form.text('make')} label={t('make')} optional={optional} autoComplete="off" />
      <TextField {...form.text('model')} label={t('model')} optional={optional} autoComplete="off" />
      <TextField {...form.text('vin')} label={t('vin')} optional={optional} autoComplete="off" spellCheck={false} />
      <DialogActions>
        {onCancel && <Button onClick={onCancel}>{t('forms:cancel')}</Button>}
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('submit')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
