import { type AnyTile, updateMe } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { refreshMe } from '../../../base/session/use-me.ts';
import { toast } from '../../../base/toasts/toast.ts';

/** The user's order of tiles, stored in their preferences. It applies right away, before the server answers. */
export function useArrangement() {
  const { t } = useTranslation('overview');
  const kept = useSession(session => session.me?.preferences.overviewTiles ?? null);
  const readOnly = useSession(session => session.me?.readOnly ?? true);
  const [chosen, setChosen] = useState<readonly AnyTile[] | null | undefined>(undefined);
  const { mutate } = useMutation({
    scope: { id: 'overview-tiles' },
    mutationFn: (tiles: readonly AnyTile[] | null) =>
      call(updateMe, { body: { preferences: { overviewTiles: tiles && [...tiles] } } }),
    onSuccess: refreshMe,
    onError: error => toast(t('arrange.kept', { reason: describeError(error).message }), 'error'),
  });
  return {
    tiles: chosen === undefined ? kept : chosen,
    arrange: (tiles: readonly AnyTile[] | null): void => {
      setChosen(tiles);
      // For users with read-only access the order lasts for this visit only.
      if (!readOnly) mutate(tiles);
    },
  };
}
