import type { User } from '@milepost/contract';
import { IconFingerprint, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDateOf } from '../../format/date.ts';
import { useChoices } from '../../people/ScopeField.tsx';
import { Chip, type ChipTone } from '../../ui/Chip.tsx';
import { factorOf, lastSeen, type ShownState, shownState } from './describe-user.ts';
import styles from './UsersPage.module.css';

interface Fact {
  readonly user: User;
}

/** Number of folder names that fit in a cell. */
const SHOWN_NAMES = 2;

export function RoleChip({ user }: Fact) {
  const { t } = useTranslation('shell');
  const isHigh = user.customRole === null && (user.role === 'owner' || user.role === 'admin');
  return <Chip tone={isHigh ? 'live' : 'neutral'}>{user.customRole?.name ?? t(`role.${user.role}`)}</Chip>;
}

/** What a user is limited to: the names if they fit, otherwise how many. */
export function ScopeText({ user }: Fact) {
  const { t } = useTranslation('users');
  const choices = useChoices();
  const { role, scope } = user;
  if (role === 'driver') return <span className={styles.quiet}>{t('ownDriving')}</span>;
  if (scope === null) return <span className={styles.quiet}>{t('everything')}</span>;
  const names = choices.filter(({ kind, id }) => scope[kind].includes(id)).map(({ name }) => name);
  const total = scope.folderIds.length + scope.departmentIds.length;
  if (total === 0) return <span className={styles.off}>{t('nothing')}</span>;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  const more = total - Math.min(names.length, SHOWN_NAMES);
  return <span className={styles.quiet}>{more > 0 ? t('andMore', { names: shown, count: more }) : shown}</span>;
}

const FACTOR_ICONS = { passkey: IconFingerprint, 'code-app': IconShieldCheck, off: IconShieldOff } as const;

export function SecondFactor({ user }: Fact) {
  const { t } = useTranslation('users');
  const factor = factorOf(user);
  const Icon = FACTOR_ICONS[factor];
  return (
    <span className={styles.factor} data-factor={factor}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {t(`factor.${factor}`)}
    </span>
  );
}

export function Seen({ user, nowMs }: Fact & { readonly nowMs: number }) {
  const { t } = useTranslation('users');
  const seen = lastSeen(user.lastSeenAt, nowMs);
  return (
    <span className={seen.kind === 'long-ago' ? styles.off : styles.seen}>
      {'text' in seen ? (seen.kind === 'at' ? seen.text : t('ago', { age: seen.text })) : t(seen.kind)}
    </span>
  );
}

const TONES: Readonly<Record<ShownState, ChipTone>> = {
  active: 'ok',
  ending: 'warning',
  invited: 'info',
  expired: 'critical',
  deactivated: 'critical',
};

export function StateChip({ user, nowMs }: Fact & { readonly nowMs: number }) {
  const { t } = useTranslation('users');
  const state = shownState(user, nowMs);
  const ends = user.expiresAt === null ? '' : formatDateOf(Date.parse(user.expiresAt));
  return <Chip tone={TONES[state]}>{t(`state.${state}`, { day: ends })}</Chip>;
}
