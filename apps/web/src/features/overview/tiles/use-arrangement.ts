import { type OverviewTile, updateMe } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { useSession } from '../../../app/session/session.ts';
import { refreshMe } from '../../../app/session/use-me.ts';
import { toast } from '../../../app/toasts/toast.ts';

/** Somebody's own order of tiles, kept with their preferences on every device; seen before the server has answered. */
export function useArrangement() {
  const { t } = useTranslation('overview');
  const kept = useSession(session => session.me?.preferences.overviewTiles ?? null);
  const readOnly = useSession(session => session.me?.readOnly ?? true);
  const [chosen, setChosen] = useState<readonly OverviewTile[] | null | undefined>(undefined);
  const { mutate } = useMutation({
    scope: { id: 'overview-tiles' },
    mutationFn: (tiles: readonly OverviewTile[] | null) =>
      call(updateMe, { body: { preferences: { overviewTiles: tiles && [...tiles] } } }),
    onSuccess: refreshMe,
    onError: error => toast(t('arrange.kept', { reason: describeError(error).message }), 'error'),
  });
  return {
    tiles: chosen === undefined ? kept : chosen,
    arrange: (tiles: readonly OverviewTile[] | null): void => {
      setChosen(tiles);
      // Whoever only looks arranges for this visit.
      if (!readOnly) mutate(tiles);
    },
  };
}
