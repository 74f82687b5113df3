import { useTranslation } from 'react-i18next';
import { toast } from '../base/toasts/toast.ts';
import { NO_GROUP } from './groups.ts';
import type { GroupKind } from './organisation.ts';
import { assignMembers } from './writes.ts';

/** Moves members into a group, or out of theirs with `NO_GROUP`, and shows a message. Rejects if the request fails. */
export function useMoveMembers(kind: GroupKind, nameOf: (id: string) => string) {
  const { t } = useTranslation('organisation');
  return async (ids: readonly string[], target: { readonly id: string; readonly name: string }): Promise<void> => {
    const [first] = ids;
    if (first === undefined) return;
    await assignMembers(kind, target.id, ids);
    const words = { count: ids.length, name: nameOf(first), target: target.name };
    toast(t(target.id === NO_GROUP ? `${kind}.released` : `${kind}.moved`, words));
  };
}
