import type { AuditEntry } from '@milepost/contract';
import {
  IconBuilding,
  IconDeviceDesktop,
  IconFileText,
  IconFolder,
  IconKey,
  IconPlugConnected,
  IconSettings,
  IconShieldLock,
  IconTruck,
  IconUser,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../format/time.ts';
import styles from './AuditLine.module.css';

/** By what stands before the dot of an action. */
const ICONS: Readonly<Record<string, typeof IconUser>> = {
  session: IconDeviceDesktop,
  password: IconKey,
  'second-factor': IconShieldLock,
  'recovery-codes': IconShieldLock,
  'recovery-code': IconShieldLock,
  'api-token': IconPlugConnected,
  role: IconShieldLock,
  'security-policy': IconShieldLock,
  vehicle: IconTruck,
  folder: IconFolder,
  department: IconFolder,
  document: IconFileText,
  tenant: IconBuilding,
  settings: IconSettings,
  privacy: IconSettings,
};

/** One entry of the audit log as a sentence: when, who, did what. */
export function AuditLine({ entry, nowMs }: { readonly entry: AuditEntry; readonly nowMs: number }) {
  const { t } = useTranslation('audit');
  const Icon = ICONS[entry.action.split('.')[0] ?? ''] ?? IconUser;
  const at = Date.parse(entry.at);
  return (
    <li className={styles.line}>
      <time dateTime={entry.at}>{formatMoment(at, nowMs)}</time>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span>
        <b>{entry.userName ?? t('system')}</b> {t(`did.${entry.action}`, { target: entry.targetName ?? t('nobody') })}
      </span>
    </li>
  );
}
