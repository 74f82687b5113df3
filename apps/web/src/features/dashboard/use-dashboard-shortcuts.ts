import { may } from '@milepost/contract';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { usePast } from '../../live/past.ts';
import type { ListHandle } from './list/FleetTree.tsx';
import type { MapHandle } from './map/FleetMap.tsx';
import { closeTopmost, openDialog, setCurrentVehicle, toggleVehicle, useDashboard } from './state/dashboard-state.ts';

interface Parts {
  readonly list: RefObject<ListHandle | null>;
  readonly map: RefObject<MapHandle | null>;
  readonly search: RefObject<HTMLInputElement | null>;
}

export function useDashboardShortcuts({ list, map, search }: Parts): void {
  const { t } = useTranslation('dashboard');
  const group = t('shortcuts.group');
  const isPast = usePast() !== undefined;
  const mayCommand = useSession(({ me }) => me !== null && may(me, 'commands.read'));
  /** The vehicle that a key acts on: the focused row, else the current vehicle. */
  const subject = (): string | null => list.current?.focused() ?? useDashboard.getState().current;
  const onSubject = (act: (imei: string) => void) => (): void => {
    const imei = subject();
    if (imei !== null) act(imei);
  };
  useShortcuts([
    { keys: ['f'], label: t('shortcuts.search'), group, run: () => search.current?.focus() },
    { keys: ['j'], label: t('shortcuts.next'), group, run: () => list.current?.move(1) },
    { keys: ['k'], label: t('shortcuts.previous'), group, run: () => list.current?.move(-1) },
    { keys: ['x'], label: t('shortcuts.select'), group, run: onSubject(toggleVehicle) },
    { keys: ['m'], label: t('shortcuts.showOnMap'), group, run: onSubject(imei => map.current?.show(imei)) },
    ...(mayCommand && !isPast
      ? [{ keys: ['c'], label: t('shortcuts.command'), group, run: onSubject(imei => openDialog('command', [imei])) }]
      : []),
    { keys: ['n'], label: t('shortcuts.nextInView'), group, run: () => map.current?.step(1) },
    { keys: ['p'], label: t('shortcuts.previousInView'), group, run: () => map.current?.step(-1) },
    // The past bar has its own shortcuts.
    ...(isPast
      ? []
      : [
          {
            keys: ['Escape'],
            label: t('shortcuts.close'),
            group,
            run: () => closeTopmost() || setCurrentVehicle(null),
          },
        ]),
  ]);
}
