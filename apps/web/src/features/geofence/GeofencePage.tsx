import { type Geofence, may } from '@milepost/contract';
import { IconBulb, IconDownload, IconListCheck, IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatAge } from '../../format/duration.ts';
import { formatClock } from '../../format/time.ts';
import { FENCE_TOKENS } from '../../geofences/fence-overlay.ts';
import { useGeofenceGroups, useGeofences } from '../../geofences/use-geofences.ts';
import { type InsideNow, useInside } from '../../geofences/use-inside.ts';
import { showLivePositions } from '../../live/live.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useMinute } from '../../live/view.ts';
import { RegistryState } from '../../registry/RegistryState.tsx';
import list from '../../registry/SideList.module.css';
import { SideRow } from '../../registry/SideRow.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { Button } from '../../ui/Button.tsx';
import hidden from '../../ui/hidden.module.css';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Counting } from './Counting.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { NEW_GEOFENCE } from './draft.ts';
import { GeofenceMap, TOOL_ICONS } from './GeofenceMap.tsx';
import styles from './GeofencePage.module.css';
import { saveGeoJson } from './geojson.ts';
import { SelectionFoot } from './SelectionFoot.tsx';
import { SuggestionsDialog } from './SuggestionsDialog.tsx';
import { useShapeWords } from './shape-words.ts';

const GeofenceForm = lazyPart(async () => (await import('./GeofenceForm.tsx')).GeofenceForm);
const ImportDialog = lazyPart(async () => (await import('./ImportDialog.tsx')).ImportDialog);

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const NO_GROUP = '';
const MINUTE_MS = 60_000;
type View = 'all' | 'inside' | 'groups';

/** `/geo-fence`: the account's geofences on the map and in a list, one of them open to be edited [R2.08]. */
export function Component() {
  const { t } = useTranslation(['geofence', 'shell', 'forms', 'visits']);
  const me = useSession(session => session.me);
  const mayEdit = me !== null && may(me, 'geofences.write');
  const { data: geofences, error, refetch, dataUpdatedAt, isFetching } = useGeofences();
  const { data: groups = [] } = useGeofenceGroups();
  const registry = useRegistry();
  const { open, openRow } = registry;
  const [view, setView] = useState<View>('all');
  const [copied, setCopied] = useState<Geofence | null>(null);
  // What is begun after it was closed is no copy.
  const [was, setWas] = useState(open);
  if (was !== open) {
    setWas(open);
    if (open !== NEW_GEOFENCE) setCopied(null);
  }
  const [imports, setImports] = useState(false);
  const [suggests, setSuggests] = useState(false);
  const [deleting, setDeleting] = useState<Geofence | null>(null);
  /** The selected ones; null while none are being selected. */
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const center = useRef<() => readonly [number, number]>(() => [0, 0]);
  useShortcuts([{ keys: ['f'], label: t('search'), group: t('title'), run: () => search.current?.focus() }]);

  useEffect(showLivePositions, []);

  const { data: inside } = useInside();
  const counts = useMemo(() => countsOf(inside), [inside]);
  const lasts = useMemo(() => new Map(inside?.last.map(last => [last.geofenceId, last])), [inside]);
  const sections = useSections(geofences, registry.query, view, counts);
  const found = sections.reduce((sum, { members }) => sum + members.length, 0);
  const opened = geofences?.find(({ id }) => id === open) ?? null;
  const isKnown = geofences !== undefined && !isFetching;
  const isGone = open !== null && open !== NEW_GEOFENCE && isKnown && opened === null;
  // Someone else deleted it, or the address is old.
  useEffect(() => {
    if (!isGone || deleting !== null) return;
    toast(t('gone'), 'info');
    openRow(null);
  }, [isGone, deleting, openRow, t]);
  const isOpen = opened !== null || (open === NEW_GEOFENCE && mayEdit);
  const show = useCallback((id: string) => openRow(id), [openRow]);
  const begin = (from: Geofence | null): void => {
    setCopied(from);
    openRow(NEW_GEOFENCE);
  };

  return (
    <div className={styles.page} data-page="flow" data-open={isOpen || undefined}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <h1 className={hidden.hidden}>{t('title')}</h1>
      <section className={`${styles.side} ${list.side}`} aria-label={t('list')}>
        <div className={`${styles.head} ${list.head}`}>
          <SearchBox
            ref={search}
            value={registry.query}
            onSearch={registry.search}
            label={t('search')}
            placeholder={geofences ? t('count', { count: geofences.length }) : t('searchHint')}
            clearLabel={t('clearSearch')}
          />
          <IconButton
            label={t('export')}
            bordered
            disabled={!geofences?.length}
            onClick={() => saveGeoJson(geofences ?? [], groups, t('title'))}
          >
            <IconDownload {...ICON} />
          </IconButton>
          {mayEdit && (
            <IconButton label={t('import')} bordered onClick={() => setImports(true)}>
              <IconUpload {...ICON} />
            </IconButton>
          )}
          {mayEdit && (
            <Button variant="primary" icon={<IconPlus {...ICON} />} aria-label={t('new')} onClick={() => begin(null)}>
              {t('add')}
            </Button>
          )}
        </div>
        <Segments
          label={t('views.label')}
          segments={[
            { id: 'all', label: t('views.all') },
            { id: 'inside', label: t('visits:insideNow') },
            { id: 'groups', label: t('views.groups') },
          ]}
          chosen={view}
          onChoose={setView}
        />
        {inside && inside.counting > 0 && (
          <div className={styles.counting}>
            <Counting counting={inside.counting} vehicles={inside.vehicles} />
          </div>
        )}
        {error && geofences && (
          <Notice tone="warning">
            {t('stale', { message: describeError(error).message, time: formatClock(dataUpdatedAt) })}
          </Notice>
        )}
        {found === 0 && view === 'inside' && registry.query === '' && geofences?.length ? (
          <p className={list.nobody}>{inside?.counting === 0 ? t('visits:nobodyInside') : null}</p>
        ) : found === 0 ? (
          <RegistryState
            total={geofences?.length}
            error={error}
            onRetry={() => void refetch()}
            onClear={registry.clear}
            empty={{
              title: t('none'),
              text: t('noneText'),
              action: mayEdit && (
                <Button icon={<IconPlus {...ICON} />} onClick={() => begin(null)}>
                  {t('new')}
                </Button>
              ),
            }}
          />
        ) : (
          <div className={list.list}>
            {sections.map(({ id, name, members }) => (
              <section key={id} aria-label={name}>
                {name && <h2>{name}</h2>}
                <ul>
                  {members.map(geofence => (
                    <Row
                      key={geofence.id}
                      geofence={geofence}
                      // As long as vehicles are being counted, nobody knows that none is inside.
                      count={inside && (counts.get(geofence.id) ?? (inside.counting > 0 ? undefined : 0))}
                      last={lasts.get(geofence.id)}
                      isOpen={geofence.id === open}
                      onOpen={() => openRow(geofence.id)}
                      selection={
                        selected
                          ? {
                              isSelected: selected.has(geofence.id),
                              onSelect: () => setSelected(selected.symmetricDifference(new Set([geofence.id]))),
                            }
                          : undefined
                      }
                    />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
        {mayEdit && selected === null && (
          <div className={styles.suggest}>
            <Button variant="text" icon={<IconBulb {...ICON} />} onClick={() => setSuggests(true)}>
              {t('suggested.open')}
            </Button>
            {geofences && geofences.length > 1 && (
              <IconButton label={t('bulk.select')} tooltip="top" onClick={() => setSelected(new Set())}>
                <IconListCheck {...ICON} />
              </IconButton>
            )}
          </div>
        )}
        {mayEdit && selected !== null && (
          <SelectionFoot
            shown={sections.flatMap(({ members }) => members)}
            chosen={geofences?.filter(({ id }) => selected.has(id)) ?? []}
            onChoose={setSelected}
            onClose={() => setSelected(null)}
          />
        )}
      </section>
      <div className={styles.map}>
        <GeofenceMap
          geofences={geofences}
          onOpen={show}
          onCenter={read => {
            center.current = read;
          }}
        />
      </div>
      {isOpen && (
        <GeofenceForm
          key={opened?.id ?? NEW_GEOFENCE}
          geofence={opened}
          from={copied}
          center={() => center.current()}
          onSaved={({ id }) => openRow(id)}
          onClose={() => openRow(null)}
          onDelete={() => setDeleting(opened)}
          onDuplicate={() => begin(opened)}
          onExport={() => opened && saveGeoJson([opened], groups, opened.name)}
        />
      )}
      {suggests && <SuggestionsDialog onClose={() => setSuggests(false)} />}
      {imports && <ImportDialog onClose={() => setImports(false)} />}
      {deleting && (
        <DeleteDialog
          geofences={[deleting]}
          onClose={() => setDeleting(null)}
          onDeleted={() => {
            setDeleting(null);
            openRow(null);
          }}
        />
      )}
    </div>
  );
}

interface Section {
  readonly id: string;
  readonly name: string;
  readonly members: readonly Geofence[];
}

/** The geofences that match the search, as one list or by group. If a group's name matches, all its geofences do. */
function useSections(
  geofences: readonly Geofence[] | undefined,
  query: string,
  view: View,
  counts: ReadonlyMap<string, number>,
): readonly Section[] {
  const { t } = useTranslation('geofence');
  const { data: groups } = useGeofenceGroups();
  return useMemo(() => {
    const names = new Map(groups?.map(({ id, name }) => [id, name]));
    const wanted = query.trim().toLocaleLowerCase();
    const matches = ({ name, groupId }: Geofence): boolean =>
      [name, names.get(groupId ?? NO_GROUP) ?? ''].some(text => text.toLocaleLowerCase().includes(wanted));
    const found = (geofences ?? []).filter(matches);
    if (view !== 'groups') {
      const members =
        view === 'all'
          ? found
          : found
              .filter(({ id }) => counts.has(id))
              .toSorted((one, other) => (counts.get(other.id) ?? 0) - (counts.get(one.id) ?? 0));
      return members.length === 0 ? [] : [{ id: NO_GROUP, name: '', members }];
    }
    const byGroup = Map.groupBy(found, ({ groupId }) => (groupId !== null && names.has(groupId) ? groupId : NO_GROUP));
    return [...(groups ?? []).map(({ id, name }) => ({ id, name })), { id: NO_GROUP, name: t('noGroup') }].flatMap(
      group => {
        const members = byGroup.get(group.id);
        return members ? [{ ...group, members }] : [];
      },
    );
  }, [geofences, groups, query, view, counts, t]);
}

/** Number of vehicles inside each geofence; empty ones are missing. */
function countsOf(inside: InsideNow | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { geofenceId } of inside?.inside ?? []) counts.set(geofenceId, (counts.get(geofenceId) ?? 0) + 1);
  return counts;
}

interface RowProps {
  readonly geofence: Geofence;
  /** Number of vehicles inside; undefined until loaded. */
  readonly count: number | undefined;
  readonly last: InsideNow['last'][number] | undefined;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly selection: ComponentProps<typeof SideRow>['selection'];
}

function Row({ geofence, count, last, ...row }: RowProps) {
  const { t } = useTranslation(['geofence', 'visits']);
  const { data: vehicles } = useQuery(vehicleListQuery);
  const nowMs = useMinute();
  const crossed =
    last &&
    t(last.kind === 'enter' ? 'visits:entered' : 'visits:left', {
      age: formatAge(Math.max(MINUTE_MS, nowMs - Date.parse(last.at))),
      name: vehicles?.find(({ id }) => id === last.deviceId)?.deviceName ?? t('visits:unknownVehicle'),
    });
  const { data: groups } = useGeofenceGroups();
  const { short } = useShapeWords();
  const Icon = TOOL_ICONS[geofence.shape.kind];
  const group = groups?.find(({ id }) => id === geofence.groupId)?.name;
  const token = geofence.isRestricted ? '--critical' : FENCE_TOKENS[geofence.color];
  return (
    <SideRow
      icon={
        <span className={styles.icon} style={{ color: `var(${token})` }}>
          <Icon {...ICON} size={18} />
        </span>
      }
      name={geofence.name}
      isLong
      text={[group, crossed ?? short(geofence.shape)].filter(Boolean).join(' · ')}
      off={geofence.isOn ? null : t('off')}
      count={count}
      counted={t('visits:insideWord')}
      {...row}
    />
  );
}
