import { ALERT_KINDS, type Alert, alertSubject, SEVERITIES } from '@milepost/contract';
import {
  IconBellOff,
  IconCheck,
  IconChecklist,
  IconDots,
  IconFileCertificate,
  IconHistory,
  IconMap2,
  IconSend,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { AskedNote } from '../../alerts/AskedNote.tsx';
import { acknowledge } from '../../alerts/acknowledge.ts';
import { alertWords, taskOf } from '../../alerts/alert-words.ts';
import { isRequest } from '../../alerts/DecideLink.tsx';
import { useAlerts, useMayAcknowledge } from '../../alerts/use-alerts.ts';
import { announce } from '../../base/announce.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { withTexts } from '../../base/chunks/with-texts.ts';
import { describeError } from '../../base/describe-error.ts';
import { Requests } from '../../commands/lazy.ts';
import { placeWords } from '../../format/place.ts';
import { formatClock, formatMoment } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useMinute } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import { BulkAction, BulkBar } from '../../registry/BulkBar.tsx';
import { focusList, isFocusLost } from '../../registry/focus-list.ts';
import { RegistryPage } from '../../registry/RegistryPage.tsx';
import { RegistryState } from '../../registry/RegistryState.tsx';
import { RegistryTable } from '../../registry/RegistryTable.tsx';
import type { RegistryView } from '../../registry/registry-url.ts';
import { matchesSearch } from '../../registry/search.ts';
import { Toolbar } from '../../registry/Toolbar.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { MuteVehicleDialog, VehicleMutes } from '../../rules/vehicle-mutes/lazy.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { evidenceOf } from '../../vehicles/day/replay-at.ts';
import styles from './AlertsPage.module.css';
import { useAlertColumns } from './alert-columns.tsx';
import { Received } from './Received.tsx';
import { useAcknowledged } from './use-acknowledged.ts';
import { useRequests } from './use-requests.ts';

/** Named as in the page's address. `state` chooses open or acknowledged alerts. */
const ALERT_FILTERS = ['state', 'severity', 'kind'] as const;
const FILTER_VALUES = { severity: SEVERITIES, kind: ALERT_KINDS } as const;

const Notified = withTexts(() => import('./Notified.tsx'), {
  alertDeliveries: () => import('../../locales/en-US/alert-deliveries.json'),
});

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const NOTHING: ReadonlySet<string> = new Set();
/** Added so that the moment shown is after the alert began: the address has only full seconds. */
const SECOND_MS = 1000;

/** `/alerts`: open alerts, and acknowledged ones. */
export function Component() {
  const { t } = useTranslation(['alerts', 'shell']);
  const navigate = useNavigate();
  const registry = useRegistry(ALERT_FILTERS);
  const isOpen = !registry.filters.state?.includes('acknowledged');
  const open = useAlerts();
  const acknowledged = useAcknowledged(!isOpen);
  const requests = useRequests(open.alerts);
  const { error, refetch } = isOpen ? open : acknowledged;
  const alerts = isOpen ? requests.others : acknowledged.alerts;
  const mayMute = useMayAcknowledge();
  const mayAcknowledge = mayMute && isOpen;
  const minute = useMinute();
  const columns = useAlertColumns(minute, isOpen);
  const [selected, setSelected] = useState(NOTHING);
  const [busy, setBusy] = useState(false);
  /** The alert of which it is shown who was notified. */
  const [notified, setNotified] = useState<Alert | null>(null);
  /** The alert whose vehicle someone is about to mute. */
  const [muting, setMuting] = useState<Alert | null>(null);
  const { query, filters } = registry;
  const rows = useMemo(
    () => (alerts ?? []).filter(alert => matchesAlert(alert, { query, filters })),
    [alerts, query, filters],
  );
  // Alerts that someone else has acknowledged meanwhile are no longer selected.
  const chosen = useMemo(
    () => new Set(rows.filter(({ id }) => selected.has(id)).map(({ id }) => id)),
    [rows, selected],
  );
  const byId = useMemo(() => new Map(rows.map(alert => [alert.id, alert])), [rows]);

  const run = async (ids: readonly string[]): Promise<void> => {
    setBusy(true);
    const done = await acknowledge(ids);
    setBusy(false);
    if (!done) return;
    // If the pressed button or menu belonged to these alerts, it disappears with them.
    const pressed = document.activeElement;
    const row = pressed?.closest<HTMLElement>('[data-id]')?.dataset.id;
    if (isFocusLost() || pressed?.closest('[role="toolbar"]') || (row !== undefined && ids.includes(row))) {
      focusList();
    }
    setSelected(NOTHING);
    announce(t('page.done', { count: ids.length }));
  };
  const show = (id: string): void => {
    const alert = byId.get(id);
    if (alert) void navigate(alert.imei === null ? taskOf(alert) : paths.vehicleOnMap(alert.imei));
  };
  const showThen = (id: string): void => {
    const alert = byId.get(id);
    if (alert) void navigate(paths.dashboardAt(Date.parse(alert.openedAt) + SECOND_MS, alert.imei ?? undefined));
  };
  const showEvidence = (id: string): void => {
    const alert = byId.get(id);
    if (!alert || alert.deviceId === null) return;
    const openedMs = Date.parse(alert.openedAt);
    const endMs = alert.closedAt === null ? openedMs : Date.parse(alert.closedAt);
    void navigate(evidenceOf(alert.deviceId, openedMs, endMs));
  };
  const view = (id: 'open' | 'acknowledged'): void => {
    const { state: _, ...others } = filters;
    setSelected(NOTHING);
    registry.filterBy(id === 'open' ? others : { ...others, state: [id] });
  };
  const count = isOpen && !registry.filtered ? open.total : rows.length;
  const onlyRequests = isOpen && requests.wait && rows.length === 0 && !registry.filtered;
  const isStale = Boolean(error) && alerts !== undefined;

  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <RegistryPage
        title={t('title')}
        count={alerts && t('page.count', { count })}
        toolbar={
          <Toolbar
            registry={registry}
            searchHint={t('page.search')}
            filters={(['severity', 'kind'] as const).map(id => ({
              id,
              label: t(`page.${id}`),
              options: FILTER_VALUES[id].map(value => ({ value, label: t(`${id}.${value}` as 'severity.info') })),
            }))}
            views={
              <Segments
                label={t('page.views')}
                segments={[
                  { id: 'open', label: t('open') },
                  { id: 'acknowledged', label: t('acknowledged') },
                ]}
                chosen={isOpen ? 'open' : 'acknowledged'}
                onChoose={view}
              />
            }
          />
        }
        below={
          <>
            {isOpen && <Received />}
            {isOpen && open.alerts && open.alerts.length < open.total && (
              <p className={styles.first}>{t('page.first', { count: open.alerts.length })}</p>
            )}
            {!isOpen && acknowledged.hasMore && (
              <div className={styles.more}>
                <Button busy={acknowledged.isReadingMore} onClick={acknowledged.readMore}>
                  {t(acknowledged.isReadingMore ? 'page.moreLoading' : 'page.more')}
                </Button>
              </div>
            )}
            {mayAcknowledge && (
              <BulkBar count={chosen.size} onClear={() => setSelected(NOTHING)}>
                <BulkAction
                  icon={<IconCheck size={16} stroke={1.75} aria-hidden />}
                  onClick={() => !busy && void run([...chosen])}
                >
                  {t('acknowledge')}
                </BulkAction>
              </BulkBar>
            )}
          </>
        }
      >
        {isOpen && (
          <div className={styles.muted}>
            <Part fallback={null}>
              <VehicleMutes of={() => true} />
            </Part>
          </div>
        )}
        {isOpen && requests.commandIds.length > 0 && (
          <Part fallback={null}>
            <Requests ids={requests.commandIds} />
          </Part>
        )}
        {isStale && (
          <Notice tone="warning">
            {describeError(error).message} {isOpen && t('asOf', { time: formatClock(open.updatedMs) })}
          </Notice>
        )}
        {onlyRequests ? null : rows.length === 0 ? (
          <RegistryState
            total={alerts?.length}
            error={error}
            onRetry={refetch}
            onClear={registry.clear}
            empty={
              isOpen
                ? { title: t('page.empty.title'), text: t('page.empty.text') }
                : { title: t('page.emptyAcknowledged.title'), text: t('page.emptyAcknowledged.text') }
            }
          />
        ) : (
          <RegistryTable
            label={t('title')}
            rows={rows}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={alert => `${alertWords(alert)}, ${alertSubject(alert)}`}
            sort={registry.sort ?? { column: isOpen ? 'what' : 'since', descending: !isOpen }}
            onSort={registry.sortBy}
            open={registry.open}
            onOpen={show}
            {...(mayAcknowledge && { selected: chosen, onSelect: setSelected })}
            card={alert => <Card alert={alert} nowMs={minute} />}
            menu={alert => (
              <Menu
                trigger={props => (
                  <IconButton
                    {...props}
                    label={t('page.menu', { what: alertWords(alert), vehicle: alertSubject(alert) })}
                    tooltip="none"
                  >
                    <IconDots size={18} stroke={1.75} aria-hidden />
                  </IconButton>
                )}
              >
                {mayAcknowledge && (
                  <MenuItem
                    icon={<IconCheck size={16} stroke={1.75} aria-hidden />}
                    onClick={() => void run([alert.id])}
                  >
                    {t('acknowledge')}
                  </MenuItem>
                )}
                <MenuItem
                  icon={
                    alert.imei === null ? (
                      <IconChecklist size={16} stroke={1.75} aria-hidden />
                    ) : (
                      <IconMap2 size={16} stroke={1.75} aria-hidden />
                    )
                  }
                  onClick={() => show(alert.id)}
                >
                  {t(alert.imei === null ? 'page.showTask' : 'page.showOnMap')}
                </MenuItem>
                <MenuItem icon={<IconHistory size={16} stroke={1.75} aria-hidden />} onClick={() => showThen(alert.id)}>
                  {t('page.showThen')}
                </MenuItem>
                <MenuItem icon={<IconSend {...ICON} />} onClick={() => setNotified(alert)}>
                  {t('page.notified')}
                </MenuItem>
                {alert.deviceId !== null && !isRequest(alert) && mayMute && (
                  <MenuItem icon={<IconBellOff {...ICON} />} onClick={() => setMuting(alert)}>
                    {t('page.mute', { vehicle: alertSubject(alert) })}
                  </MenuItem>
                )}
                {alert.deviceId !== null && (
                  <MenuItem
                    icon={<IconFileCertificate size={16} stroke={1.75} aria-hidden />}
                    onClick={() => showEvidence(alert.id)}
                  >
                    {t('page.evidence')}
                  </MenuItem>
                )}
              </Menu>
            )}
          />
        )}
      </RegistryPage>
      <AskedNote />
      {muting?.deviceId && (
        <Part fallback={null}>
          <MuteVehicleDialog
            vehicle={{ id: muting.deviceId, deviceName: alertSubject(muting) }}
            about={muting.rule?.id ?? muting.kind}
            name={muting.rule?.name ?? null}
            onClose={() => setMuting(null)}
          />
        </Part>
      )}
      {notified && (
        <Part fallback={null}>
          <Notified alert={notified} onClose={() => setNotified(null)} />
        </Part>
      )}
    </>
  );
}

/** The second line of a row on a phone. */
function Card({ alert, nowMs }: { readonly alert: Alert; readonly nowMs: number }) {
  const system = useMeasureSystem();
  const { driver, openedAt, acknowledgedBy } = alert;
  const facts = [
    driver?.name,
    formatMoment(Date.parse(openedAt), nowMs),
    placeWords(alert, system),
    acknowledgedBy?.name,
  ];
  return (
    <span className={styles.card}>
      <Plate>{alertSubject(alert)}</Plate> {facts.filter(Boolean).join(' · ')}
    </span>
  );
}

function matchesAlert(alert: Alert, { query, filters }: Pick<RegistryView, 'query' | 'filters'>): boolean {
  const { address, driver, imei, kind, note, severity, task } = alert;
  const fits = (filters.severity?.includes(severity) ?? true) && (filters.kind?.includes(kind) ?? true);
  return (
    fits &&
    matchesSearch(query, [
      ...[alertSubject(alert), imei, driver?.name ?? null, address, note, alertWords(alert)],
      task?.title ?? null,
    ])
  );
}
