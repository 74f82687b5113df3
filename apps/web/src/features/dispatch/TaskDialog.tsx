import { listDrivers, may, newTaskSchema, TASK_PRIORITIES, type Task } from '@milepost/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { useMinute } from '../../live/view.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { ListField } from '../../organisation/ListField.tsx';
import { addTask, changeTask } from '../../tasks/use-tasks.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextArea, TextField } from '../../ui/TextField.tsx';
import { DriverFits } from './DriverFits.tsx';
import styles from './TaskDialog.module.css';
import { bodyOf, EMPTY_STOP, type StopValues, valuesOf, wantedOf } from './task-form.ts';
import { useFits } from './use-fits.ts';

interface Props {
  /** Null to add a task. */
  readonly task: Task | null;
  readonly onClose: () => void;
  readonly onSaved: (task: Task) => void;
}

export function TaskDialog(props: Props) {
  const { t } = useTranslation(['tasks', 'forms']);
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t(props.task ? 'form.edit' : 'form.title')}
      closeLabel={t('forms:close')}
    >
      <TaskForm {...props} />
    </Dialog>
  );
}

function TaskForm({ task, onClose, onSaved }: Props) {
  const { t } = useTranslation(['tasks', 'forms']);
  const seesHours = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  const nowMs = useMinute();
  const { data: drivers, error } = useQuery({
    ...{ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers), enabled: !seesHours },
  });
  const { data: geofences } = useGeofences();
  const form = useForm({
    schema: newTaskSchema,
    initial: valuesOf(task),
    toBody: values => bodyOf(values, geofences ?? []),
    save: body => {
      if (task === null) return addTask(body);
      // The driver is changed only by assigning the task, not by editing it.
      const { driverId: _driver, vehicleId: _vehicle, ...fields } = body;
      return changeTask(task.id, fields);
    },
    onSaved: saved => {
      toast(task ? t('saved') : t('created', { title: saved.title }));
      onSaved(saved);
      if (task) onClose();
    },
  });
  const wanted = wantedOf(form.values, geofences ?? []);
  const answer = useFits(wanted, null, task === null && seesHours);
  const { stops } = form.values;
  const setStop = (at: number, change: Partial<StopValues>): void =>
    form.set(
      'stops',
      stops.map((stop, i) => (i === at ? { ...stop, ...change } : stop)),
    );
  const hasBadStop = Object.keys(form.messages).some(field => field.startsWith('stops'));
  return (
    <FormFrame form={form} label={t(task ? 'form.edit' : 'form.title')}>
      <TextField
        {...form.text('title')}
        label={t('form.name')}
        placeholder={t('form.namePlaceholder')}
        autoComplete="off"
        data-autofocus
      />
      <div className={styles.pair}>
        <TextField {...form.text('ref')} label={t('form.ref')} optional={t('forms:optional')} autoComplete="off" />
        <SelectField
          {...form.text('priority')}
          label={t('form.priority')}
          options={TASK_PRIORITIES.map(value => ({ value, label: t(`priority.${value}`) }))}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          {...form.text('dueFrom')}
          type="datetime-local"
          label={t('form.from')}
          optional={t('forms:optional')}
        />
        <TextField {...form.text('dueTo')} type="datetime-local" label={t('form.to')} optional={t('forms:optional')} />
      </div>
      <fieldset className={styles.stops}>
        <legend>{t('form.stops')}</legend>
        {hasBadStop && (
          <Notice tone="critical" role="alert">
            {t('form.noPlace')}
          </Notice>
        )}
        {stops.map((stop, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a stop is identified by its position in the list.
          <div key={at} className={styles.stop}>
            <TextField
              label={`${t('form.stop', { number: at + 1 })}: ${t('form.stopName')}`}
              value={stop.name}
              onChange={event => setStop(at, { name: event.currentTarget.value })}
              autoComplete="off"
            />
            <SelectField
              label={t('form.geofence')}
              value={stop.geofenceId}
              onChange={event => {
                const id = event.currentTarget.value;
                const name = geofences?.find(one => one.id === id)?.name ?? '';
                setStop(at, { geofenceId: id, ...(stop.name === '' && { name }) });
              }}
              options={[
                { value: '', label: t('form.noGeofence') },
                ...(geofences ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            {stop.geofenceId === '' && (
              <TextField
                label={t('form.coordinates')}
                hint={t('form.coordinatesHint')}
                value={stop.coordinates}
                onChange={event => setStop(at, { coordinates: event.currentTarget.value })}
                autoComplete="off"
              />
            )}
            <IconButton
              label={t('form.removeStop', { number: at + 1 })}
              onClick={() =>
                form.set(
                  'stops',
                  stops.filter((_, i) => i !== at),
                )
              }
            >
              <IconTrash size={18} stroke={1.75} aria-hidden />
            </IconButton>
          </div>
        ))}
        <Button
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => form.set('stops', [...stops, EMPTY_STOP])}
        >
          {t('form.addStop')}
        </Button>
      </fieldset>
      {task === null && seesHours && (
        <DriverFits
          answer={answer}
          hasStops={wanted.stops.length > 0}
          nowMs={nowMs}
          value={form.values.driverId}
          onChoose={id => form.set('driverId', id)}
        />
      )}
      {task === null && (
        <div className={styles.pair}>
          {!seesHours && (
            <ListField
              {...form.text('driverId')}
              label={t('form.driver')}
              none={t('form.noDriver')}
              list={
                drivers?.filter(({ archived }) => !archived).map(({ id, name }) => ({ value: id, label: name })) ?? null
              }
              readError={error}
            />
          )}
          <TextField
            {...form.text('answerBy')}
            type="datetime-local"
            label={t('form.answerBy')}
            optional={t('forms:optional')}
          />
        </div>
      )}
      <Switch {...form.flag('needsPhoto')}>{t('form.photo')}</Switch>
      <Switch {...form.flag('needsSignature')}>{t('form.signature')}</Switch>
      <TextArea {...form.text('notes')} label={t('form.notes')} optional={t('forms:optional')} rows={2} />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t(task ? 'form.save' : 'form.create')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
