import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/Checkbox.tsx';
import styles from './GeofenceForm.module.css';

interface Props {
  /** Groups of the file that the account doesn't have, with how many of its geofences are in each. */
  readonly groups: ReadonlyMap<string, number>;
  /** Those that aren't to be created. */
  readonly left: ReadonlySet<string>;
  readonly onLeave: (group: string, isLeft: boolean) => void;
}

/** Offers to create the groups that a file names; without them, their geofences are in no group. */
export function ImportGroups({ groups, left, onLeave }: Props) {
  const { t } = useTranslation('geofence');
  return (
    <fieldset className={styles.groups}>
      <legend>{t('importDialog.groups', { count: groups.size })}</legend>
      {[...groups].map(([group, count]) => (
        <Checkbox
          key={group}
          checked={!left.has(group)}
          onChange={event => onLeave(group, !event.currentTarget.checked)}
        >
          {t('importDialog.group', { group, count })}
        </Checkbox>
      ))}
      <p>{t('importDialog.groupsText')}</p>
    </fieldset>
  );
}
