import { listRefusedReports, TRACKERS, type Vehicle } from '@milepost/contract';
import { IconBroadcast, IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { formatAge, formatDuration } from '../../format/duration.ts';
import { useNow } from '../../live/view.ts';
import { Button } from '../../ui/Button.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { useTrackerPorts } from '../../vehicles/add-vehicle/tracker-ports.ts';
import { protocolName } from '../../vehicles/protocol-name.ts';
import { useUnknownTrackers } from '../../vehicles/use-unknown-trackers.ts';
import styles from './FirstReport.module.css';
import { useFirstVehicle } from './use-first-vehicle.ts';

/** Whether the first vehicle has reported: how long the server has waited, on which port, and what to check. */
export function FirstReport() {
  const { t } = useTranslation(['setup', 'addVehicle']);
  const first = useFirstVehicle();
  const listening = useTrackerPorts();
  const nowMs = useNow();
  if (!first) return <Line tone="calm" icon={<IconBroadcast />} title={t('report.none')} text={t('report.noneText')} />;
  const { vehicle, heardMs } = first;
  const name = <Plate>{vehicle.deviceName}</Plate>;
  if (heardMs !== null) {
    return (
      <Line
        tone="good"
        icon={<IconCircleCheck />}
        title={[name, t('report.heard')]}
        text={t('report.heardText', { age: formatAge(nowMs - heardMs) })}
      />
    );
  }
  const ports = listening?.filter(({ protocol }) => vehicle.protocol === null || vehicle.protocol === protocol);
  const off =
    vehicle.protocol === null
      ? t('report.notListening')
      : t('addVehicle:portOff', { protocol: TRACKERS[vehicle.protocol].title });
  const text =
    ports?.length === 0
      ? off
      : ports &&
        t('report.listening', {
          count: ports.length,
          port: ports[0]?.port,
          time: formatDuration(nowMs - Date.parse(vehicle.createdAt)),
        });
  return (
    <Line tone="waiting" icon={<IconHourglass />} title={[name, t('report.waiting')]} text={text}>
      <Popover
        label={t('report.check')}
        side="above"
        trigger={trigger => <Button {...trigger}>{t('report.check')}</Button>}
      >
        <Checks vehicle={vehicle} ports={ports ?? []} />
      </Popover>
    </Line>
  );
}

interface LineProps {
  readonly tone: 'calm' | 'waiting' | 'good';
  readonly icon: ReactNode;
  readonly title: string | readonly [ReactNode, string];
  readonly text: string | undefined;
  readonly children?: ReactNode;
}

/** One state: icon, title and a line of text. */
export function Line({ tone, icon, title, text, children }: LineProps) {
  return (
    <div className={styles.line} data-tone={tone}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <div className={styles.words}>
        <b role="status">
          {typeof title === 'string' ? (
            title
          ) : (
            <>
              {title[0]} {title[1]}
            </>
          )}
        </b>
        <span>{text}</span>
      </div>
      {children}
    </div>
  );
}

interface ChecksProps {
  readonly vehicle: Vehicle;
  readonly ports: NonNullable<ReturnType<typeof useTrackerPorts>>;
}

/** Common reasons why a tracker isn't received; first those that the server can see. */
function Checks({ vehicle, ports }: ChecksProps) {
  const { t } = useTranslation('setup');
  const nowMs = useNow();
  const unknown = useUnknownTrackers() ?? [];
  const { data: refused } = useQuery({ queryKey: ['refused-reports'], queryFn: () => call(listRefusedReports) });
  const own = refused?.filter(({ deviceId }) => deviceId === vehicle.id) ?? [];
  const [only] = ports.length === 1 ? ports : [];
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  return (
    <div className={styles.checks}>
      {unknown.length > 0 && (
        <>
          <b>{t('checks.unknown')}</b>
          <ul>
            {unknown.map(({ imei, protocol, lastSeenAt }) => (
              <li key={imei}>
                {t('checks.seen', {
                  imei,
                  protocol: protocolName(protocol),
                  age: formatAge(nowMs - Date.parse(lastSeenAt)),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      {own.map(({ protocol, cause, remoteAddress, lastSeenAt }) => (
        <p key={`${protocol} ${remoteAddress}`}>
          {t(`checks.refused.${cause}`, {
            protocol: protocolName(protocol),
            address: remoteAddress ?? '?',
            age: formatAge(nowMs - Date.parse(lastSeenAt)),
          })}
        </p>
      ))}
      <ol>
        <li>
          {only
            ? t('checks.address', { host: location.hostname, port: only.port })
            : t('checks.host', { host: location.hostname })}
          {isLocal && ` ${t('checks.local')}`}
        </li>
        {!only && ports.length > 0 && (
          <li>
            {t('checks.ports', {
              ports: ports.map(({ protocol, port }) => `${protocolName(protocol)} ${port}`).join(', '),
            })}
          </li>
        )}
        <li>{t('checks.imei', { imei: vehicle.imei })}</li>
        <li>{t('checks.sim')}</li>
        <li>{t('checks.firewall')}</li>
        <li>{t('checks.sky')}</li>
      </ol>
    </div>
  );
}
