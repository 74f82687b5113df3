import type { Geofence } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { toast } from '../../base/toasts/toast.ts';
import { listOf } from '../../format/locale.ts';
import { Question } from '../../forms/Question.tsx';
import { removeGeofence, removeGeofences } from '../../geofences/use-geofences.ts';
import { namesGeofence, useAllRules } from './rules-of.ts';

interface Props {
  /** One or more. */
  readonly geofences: readonly Geofence[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before geofences are deleted, and says which rules are about them. */
export function DeleteDialog({ geofences, onClose, onDeleted }: Props) {
  const { t } = useTranslation(['geofence', 'rules']);
  const ids = geofences.map(({ id }) => id);
  const named = useAllRules()?.filter(rule => ids.some(id => namesGeofence(rule, id))) ?? [];
  const [first] = geofences;
  const only = geofences.length === 1 && first;
  const count = geofences.length;
  return (
    <Question
      title={only ? t('deleteTitle', { name: only.name }) : t('bulk.deleteTitle', { count })}
      action={only ? t('deleteAction') : t('bulk.deleteAction', { count })}
      act={() => (only ? removeGeofence(only.id) : removeGeofences(ids))}
      onDone={() => {
        toast(only ? t('deleted', { name: only.name }) : t('bulk.deleted', { count }));
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>{t(only ? 'deleteText' : 'bulk.deleteText')}</p>
      {named.length > 0 && (
        <p>
          {t('rules:tab.uses', { count: named.length, names: listOf(named.map(rule => rule.name)) })}
          {named.some(({ geofenceIds }) => geofenceIds?.every(id => ids.includes(id))) && ` ${t('rules:tab.last')}`}
        </p>
      )}
    </Question>
  );
}
