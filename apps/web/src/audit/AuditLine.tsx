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
import { Changes } from './Changes.tsx';

/** Icons by the part of the action before the dot. */
const ICONS: Readonly<Record<string, typeof IconUser>> = {
  session: IconDeviceDesktop,
  password: IconKey,
  'second-factor': IconShieldLock,
  'recovery-codes': IconShieldLock,
  'recovery-code': IconShieldLock,
  'api-token': IconPlugConnected,
  role: IconShieldLock,
  'security-policy': IconShieldLock,
  'sign-on': IconShieldLock,
  vehicle: IconTruck,
  folder: IconFolder,
  department: IconFolder,
  document: IconFileText,
  tenant: IconBuilding,
  settings: IconSettings,
  privacy: IconSettings,
};

interface Props {
  readonly entry: AuditEntry;
  readonly nowMs: number;
  /** Names of people by ID, if known. The log itself has only their user names. */
  readonly names?: ReadonlyMap<string, string>;
  /** Show the values before and after the change below the sentence. */
  readonly detailed?: boolean;
}

/** One entry of the audit log as a sentence: when, who, what. */
export function AuditLine({ entry, nowMs, names, detailed = false }: Props) {
  const { t } = useTranslation('audit');
  const Icon = ICONS[entry.action.split('.')[0] ?? ''] ?? IconUser;
  const at = Date.parse(entry.at);
  const nameOf = (id: string | null, name: string | null) => (id === null ? name : (names?.get(id) ?? name));
  const target = nameOf(entry.targetId, entry.targetName) ?? t('nobody');
  return (
    <li className={styles.line}>
      <time dateTime={entry.at}>{formatMoment(at, nowMs)}</time>
      <Icon size={16} stroke={1.75} aria-hidden />
      <div>
        <span>
          <b>{nameOf(entry.userId, entry.userName) ?? t('system')}</b> {t(`did.${entry.action}`, { target })}
          {entry.importedAt !== undefined && ` · ${t('imported')}`}
        </span>
        {detailed && entry.action.endsWith('.changed') && <Changes changes={entry.changes} />}
      </div>
    </li>
  );
}
