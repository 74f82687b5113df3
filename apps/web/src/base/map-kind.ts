import { type MapKind, updateMe } from '@milepost/contract';
import { create } from 'zustand';
import { call } from './api.ts';
import { useBaseMapDecision } from './base-map.ts';
import { describeError } from './describe-error.ts';
import { useSession } from './session/session.ts';
import { refreshMe } from './session/use-me.ts';
import { toast } from './toasts/toast.ts';

/** The user's new choice. Every map on the page shows it at once, until the server has saved it. */
const useChosen = create<{ readonly by: string | null; readonly kind: MapKind | null }>(() => ({
  by: null,
  kind: null,
}));

/** The kind of map that this user chose, on every device. */
export function useMapKind(): MapKind {
  const userId = useSession(({ me }) => me?.id ?? null);
  const kept = useSession(({ me }) => me?.preferences.map ?? null);
  const chosen = useChosen(({ by, kind }) => (by === userId ? kind : null));
  return chosen ?? kept ?? 'streets';
}

/** True if the user has a choice: this installation has a street map besides the built-in outline. */
export const useHasStreets = (): boolean => (useBaseMapDecision().data?.map.kind ?? 'built-in') !== 'built-in';

export async function chooseMapKind(kind: MapKind): Promise<void> {
  const { me } = useSession.getState();
  if (!me) return;
  const choice = { by: me.id, kind };
  useChosen.setState(choice, true);
  // A read-only user's choice lasts only until they leave the page.
  if (me.readOnly) return;
  try {
    await call(updateMe, { body: { preferences: { map: kind } } });
    await refreshMe();
  } catch (error) {
    toast(describeError(error).message, 'error');
  }
  // The user may have chosen again meanwhile.
  if (useChosen.getState() === choice) useChosen.setState({ by: null, kind: null }, true);
}
