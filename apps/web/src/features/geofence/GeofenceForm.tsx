import {
  GEOFENCE_COLORS,
  type Geofence,
  type GeofenceChange,
  may,
  type NewGeofence,
  newGeofenceSchema,
} from '@milepost/contract';
import { IconCheck, IconCopy, IconDots, IconDownload, IconMapPin, IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useMedia } from '../../base/use-media.ts';
import { formatCount } from '../../format/locale.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { changedValues } from '../../forms/field-messages.ts';
import { type Form, useForm } from '../../forms/use-form.ts';
import { FENCE_TOKENS } from '../../geofences/fence-overlay.ts';
import { addGeofence, changeGeofence, useGeofenceGroups } from '../../geofences/use-geofences.ts';
import { useInside } from '../../geofences/use-inside.ts';
import { VehiclesChoice } from '../../geofences/VehiclesChoice.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { TextArea, TextField } from '../../ui/TextField.tsx';
import { copyPoints } from './copy-points.ts';
import { DetentionFields } from './DetentionFields.tsx';
import { closeDraft, NEW_GEOFENCE, openDraft, redo, resetShape, styleDraft, undo, useDraft } from './draft.ts';
import styles from './GeofenceForm.module.css';
import { GroupDialog } from './GroupDialog.tsx';
import { bodyOf, type GeofenceValues, metersOf, valuesOf } from './geofence-form.ts';
import { RecipientsTab } from './RecipientsTab.tsx';
import { RulesTab, ScheduleTab } from './RuleTabs.tsx';
import { useRulesOf } from './rules-of.ts';
import { ShapeTab } from './ShapeTab.tsx';
import { useShapeWords } from './shape-words.ts';
import { HistoryTab, InsideTab } from './VisitTabs.tsx';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const FORM_TABS = ['details', 'shape', 'vehicles'] as const;
const isOfForm = (tab: TabId): boolean => FORM_TABS.some(one => one === tab);
type TabId = (typeof FORM_TABS)[number] | 'rules' | 'schedule' | 'recipients' | 'inside' | 'history';
const TAB_OF: Readonly<Record<string, TabId>> = { shape: 'shape', vehicles: 'vehicles' };

interface Props {
  /** Null to add a geofence. */
  readonly geofence: Geofence | null;
  /** The geofence that the new one is copied from. */
  readonly from: Geofence | null;
  readonly onSaved: (geofence: Geofence) => void;
  readonly onClose: () => void;
  readonly onDelete: () => void;
  readonly onDuplicate: () => void;
  readonly onExport: () => void;
  readonly center: () => readonly [number, number];
}

/** The open geofence: details, shape in numbers, rules and visits. */
export function GeofenceForm({ geofence, from, onSaved, onClose, center, ...actions }: Props) {
  const { t } = useTranslation(['geofence', 'forms', 'registry', 'rules', 'visits']);
  const system = useMeasureSystem();
  const me = useSession(session => session.me);
  const mayEdit = me !== null && may(me, 'geofences.write');
  const redoes = { label: t('redo'), group: t('title'), run: redo };
  useShortcuts(
    mayEdit
      ? [
          { keys: ['mod+z'], label: t('undo'), group: t('title'), run: undo },
          { keys: ['mod+shift+z'], ...redoes },
          { keys: ['mod+y'], ...redoes },
        ]
      : [],
  );
  /** The dialog for a group: a new one, or the chosen one. */
  const [groupDialog, setGroupDialog] = useState<'new' | 'edit' | null>(null);
  const { data: groups } = useGeofenceGroups();
  const isPhone = useMedia('(max-width: 37.49em)');
  const [tab, setTab] = useState<TabId>('details');
  const id = geofence?.id ?? NEW_GEOFENCE;
  // Until this form's draft is open, the store contains the previous one.
  const drawn = useDraft(state => (state.id === id ? state.shape : undefined));
  const words = useShapeWords();
  /** The geofence as saved, so that only changes made here are sent. */
  const known: Partial<NewGeofence> = geofence
    ? newGeofenceSchema.parse(bodyOf(valuesOf(geofence, system), geofence, system))
    : {};
  const form = useForm({
    schema: newGeofenceSchema,
    initial: geofence
      ? valuesOf(geofence, system)
      : { ...valuesOf(from, system), ...(from && { name: t('copyOf', { name: from.name }) }) },
    toBody: values => bodyOf(values, geofence, system),
    problemFields: { 'geofence-name-taken': 'name' },
    save: body =>
      geofence ? changeGeofence(geofence.id, changedValues<GeofenceChange>(known, body)) : addGeofence(body),
    held: saved => valuesOf(saved, system),
    onSaved: saved => {
      toast(t(geofence ? 'saved' : 'created', { name: saved.name }));
      onSaved(saved);
    },
  });
  const { values, set, attempts, messages } = form;

  // The map and the form edit the same shape.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each geofence that is opened.
  useEffect(() => {
    const firstTool = isPhone ? 'circle' : 'polygon';
    const tool = values.shape === null ? firstTool : 'select';
    openDraft({ id, shape: values.shape, mayEdit, tool });
    return closeDraft;
  }, []);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const agreed = useRef(values.shape);
  useEffect(() => {
    if (drawn === undefined) return;
    if (drawn !== agreed.current) {
      agreed.current = drawn;
      set('shape', drawn);
    } else if (values.shape !== agreed.current) {
      // The form was discarded, or someone else saved the geofence.
      agreed.current = values.shape;
      resetShape(values.shape);
    }
  }, [drawn, values.shape, set]);
  const bufferM = metersOf(values['edge.bufferM'], system) || 0;
  useEffect(() => {
    styleDraft({ color: values.color, isRestricted: values.isRestricted, bufferM });
  }, [values.color, values.isRestricted, bufferM]);
  // Switch to the tab with the first error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per attempt to save.
  useEffect(() => {
    const [wrong] = Object.keys(messages);
    if (wrong !== undefined) setTab(TAB_OF[wrong] ?? 'details');
  }, [attempts]);

  const title = geofence?.name ?? t('new');
  const { rules, mayRead: mayReadRules } = useRulesOf(geofence);
  // A restricted geofence has the built-in rule, too.
  const ruleCount = rules && rules.length + (geofence?.isRestricted ? 1 : 0);
  const insideCount = useInside({ enabled: geofence !== null }).data?.inside.filter(
    ({ geofenceId }) => geofenceId === geofence?.id,
  ).length;
  const tabs = [
    ...FORM_TABS.map(id => ({ id, label: t(`tab.${id}`) })),
    ...(geofence && mayReadRules
      ? [
          {
            id: 'rules' as const,
            label: t('rules:tab.title'),
            count: ruleCount ? formatCount(ruleCount) : undefined,
          },
          { id: 'schedule' as const, label: t('rules:schedule.title') },
          { id: 'recipients' as const, label: t('rules:recipients.title') },
        ]
      : []),
    ...(geofence
      ? [
          {
            id: 'inside' as const,
            label: t('visits:inside'),
            count: insideCount ? formatCount(insideCount) : undefined,
          },
          { id: 'history' as const, label: t('visits:history') },
        ]
      : []),
  ];
  return (
    <aside
      ref={panel}
      className={styles.inspector}
      tabIndex={-1}
      aria-label={title}
      onKeyDown={event => {
        // An open menu or dialog closes first.
        if (event.key !== 'Escape' || document.querySelector('dialog[open], [popover="auto"]:popover-open')) return;
        event.preventDefault();
        onClose();
      }}
    >
      <FormFrame form={form} guarded label={title} className={styles.form}>
        <header className={styles.head}>
          <div className={styles.names}>
            <h2>{title}</h2>
            <p>{values.shape ? words.sizes(values.shape) : t('noShape')}</p>
          </div>
          {geofence && (
            <Menu
              trigger={props => (
                <IconButton {...props} label={t('registry:actionsFor', { name: geofence.name })} tooltip="none">
                  <IconDots {...ICON} size={18} />
                </IconButton>
              )}
            >
              <MenuItem icon={<IconDownload {...ICON} />} onClick={actions.onExport}>
                {t('exportOne')}
              </MenuItem>
              <MenuItem icon={<IconMapPin {...ICON} />} onClick={() => void copyPoints(geofence.shape, t)}>
                {t('copyPoints')}
              </MenuItem>
              {mayEdit && (
                <MenuItem icon={<IconCopy {...ICON} />} onClick={actions.onDuplicate}>
                  {t('duplicate')}
                </MenuItem>
              )}
              {mayEdit && (
                <MenuItem icon={<IconTrash {...ICON} />} onClick={actions.onDelete}>
                  {t('delete')}
                </MenuItem>
              )}
            </Menu>
          )}
          <IconButton label={t('registry:closeDrawer')} tooltip="left" onClick={onClose}>
            <IconX {...ICON} size={18} />
          </IconButton>
        </header>
        <Tabs tabs={tabs} chosen={tab} onChoose={setTab} label={title}>
          <fieldset className={styles.fields} disabled={!mayEdit} hidden={!FORM_TABS.some(one => one === tab)}>
            {tab === 'details' && <Details form={form} onGroup={setGroupDialog} />}
            {tab === 'shape' && <ShapeTab error={messages.shape} mayEdit={mayEdit} center={center} />}
            {tab === 'vehicles' && (
              <VehiclesChoice
                value={values.vehicles}
                onChange={vehicles => set('vehicles', vehicles)}
                error={messages.vehicles}
              />
            )}
          </fieldset>
          {geofence && !isOfForm(tab) && (
            <div className={styles.fields}>
              {tab === 'rules' && <RulesTab geofence={geofence} onEdge={() => setTab('details')} />}
              {tab === 'schedule' && <ScheduleTab geofence={geofence} />}
              {tab === 'recipients' && <RecipientsTab geofence={geofence} />}
              {tab === 'inside' && <InsideTab geofence={geofence} />}
              {tab === 'history' && <HistoryTab geofence={geofence} />}
            </div>
          )}
        </Tabs>
        {mayEdit && (isOfForm(tab) || form.changed.length > 0) && (
          <div className={styles.foot}>
            <Button onClick={form.discard} disabled={form.changed.length === 0}>
              {t('forms:discard')}
            </Button>
            <Button
              type="submit"
              variant="primary"
              busy={form.saving}
              disabled={geofence !== null && form.changed.length === 0 && !form.saving}
              icon={<IconCheck {...ICON} />}
            >
              {t('forms:save')}
            </Button>
          </div>
        )}
      </FormFrame>
      {/* It has its own form, so it can't be inside this one. */}
      {groupDialog !== null && (
        <GroupDialog
          group={groupDialog === 'new' ? null : (groups?.find(group => group.id === values.groupId) ?? null)}
          color={values.color}
          onClose={() => setGroupDialog(null)}
          onSaved={group => {
            if (groupDialog !== 'new') return;
            set('groupId', group.id);
            set('color', group.color);
          }}
          onDeleted={() => set('groupId', '')}
        />
      )}
    </aside>
  );
}

interface DetailsProps {
  readonly form: Form<GeofenceValues>;
  readonly onGroup: (dialog: 'new' | 'edit') => void;
}

function Details({ form, onGroup }: DetailsProps) {
  const { t } = useTranslation('geofence');
  const system = useMeasureSystem();
  const { data: groups = [] } = useGeofenceGroups();
  const { values, set } = form;
  const unit = t(system.distance === 'mi' ? 'feet' : 'meters');
  return (
    <>
      <TextField {...form.text('name')} label={t('name')} autoComplete="off" />
      <div className={styles.group}>
        <SelectField
          {...form.text('groupId')}
          label={t('group')}
          options={[{ value: '', label: t('noGroup') }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        {values.groupId !== '' && <Button onClick={() => onGroup('edit')}>{t('editGroup')}</Button>}
        <Button onClick={() => onGroup('new')}>{t('newGroup')}</Button>
      </div>
      <fieldset className={styles.colors}>
        <legend>{t('color')}</legend>
        {GEOFENCE_COLORS.map(color => (
          <label key={color} style={{ color: `var(${FENCE_TOKENS[color]})` }}>
            <input
              type="radio"
              name="color"
              aria-label={t(`colors.${color}`)}
              checked={values.color === color}
              onChange={() => set('color', color)}
            />
          </label>
        ))}
      </fieldset>
      <Switch {...form.flag('isOn')} hint={t('onHint')}>
        {t('on')}
      </Switch>
      <Switch {...form.flag('isRestricted')} hint={t('restrictedHint')}>
        {t('restricted')}
      </Switch>
      <section className={styles.edge} aria-label={t('edge.title')}>
        <h3>{t('edge.title')}</h3>
        <p>{t('edge.text')}</p>
        <div className={styles.numbers}>
          <TextField {...form.text('edge.bufferM')} label={t('edge.buffer', { unit })} inputMode="decimal" />
          <TextField {...form.text('edge.minFixes')} label={t('edge.fixes')} inputMode="numeric" />
          <TextField {...form.text('edge.minSeconds')} label={t('edge.seconds')} inputMode="numeric" />
        </div>
      </section>
      <TextField
        {...form.text('speedLimitKmh')}
        label={t('speedLimit', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })}
        hint={t('speedLimitHint')}
        inputMode="decimal"
      />
      <DetentionFields form={form} group={groups.find(({ id }) => id === values.groupId)} />
      <TextArea {...form.text('note')} label={t('note')} />
    </>
  );
}
