import { useTranslation } from 'react-i18next';
import { Chip, type ChipTone } from '../ui/Chip.tsx';
import { ICON_OF_SEVERITY } from './alert-icons.ts';
import type { VehicleAlerts } from './use-alerts.ts';

export const TONE_OF_SEVERITY = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
} as const satisfies Record<VehicleAlerts['severity'], ChipTone>;

/** Number of a vehicle's open alerts, styled by the most urgent one; renders nothing if there are none. */
export function AlertBadge({ alerts }: { readonly alerts: VehicleAlerts | undefined }) {
  const { t } = useTranslation('shell');
  if (!alerts) return null;
  const Icon = ICON_OF_SEVERITY[alerts.severity];
  return (
    <Chip tone={TONE_OF_SEVERITY[alerts.severity]}>
      <Icon size={13} stroke={1.75} role="img" aria-label={t('alerts.open')} />
      {alerts.count}
    </Chip>
  );
}
