import { IconCalendar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PERIODS } from '../../../figures/period.ts';
import { formatDate } from '../../../format/date.ts';
import { Button } from '../../../ui/Button.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import type { FleetState } from '../state/use-fleet-view.ts';

/** Chooses the period of the figures. Custom days can only come from a link. */
export function PeriodMenu({ state: { view, change } }: { readonly state: FleetState }) {
  const { name, days } = view.period;
  const { t } = useTranslation(['fleet', 'overview']);
  const text = name === 'custom' ? `${formatDate(days.from)} – ${formatDate(days.to)}` : t(`overview:period.${name}`);
  return (
    <Menu
      trigger={props => (
        <Button
          {...props}
          aria-label={t('period', { period: text })}
          icon={<IconCalendar size={16} stroke={1.75} aria-hidden />}
        >
          {text}
        </Button>
      )}
    >
      {PERIODS.filter(id => id !== 'custom').map(id => (
        <MenuItem
          key={id}
          checked={id === name}
          onClick={() => change({ period: { name: id, days: { from: '', to: '' } } })}
        >
          {t(`overview:period.${id}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
