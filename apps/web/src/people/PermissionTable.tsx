import type { Permission } from '@milepost/contract';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../ui/Chip.tsx';
import { AREAS } from './areas.ts';
import styles from './PermissionTable.module.css';

interface Props {
  /** Heading of the table, such as "Dispatcher may". */
  readonly title: string;
  readonly permissions: readonly Permission[];
}

/** What a user with these permissions can see and do, one row per area. */
export function PermissionTable({ title, permissions }: Props) {
  const { t } = useTranslation('people');
  const held = new Set(permissions);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t('see')}</th>
          <th scope="col">{t('do')}</th>
        </tr>
      </thead>
      <tbody>
        {AREAS.map(({ id, see, change, assign }) => (
          <tr key={id}>
            <th scope="row">{t(`areas.${id}`)}</th>
            <td>{see && <Answer yes={held.has(see)} />}</td>
            <td>
              {change && assign && !held.has(change) && held.has(assign) ? (
                <Chip tone="info">{t('assign')}</Chip>
              ) : (
                change && <Answer yes={held.has(change)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Answer({ yes }: { readonly yes: boolean }) {
  const { t } = useTranslation('people');
  if (!yes) {
    return (
      <span role="img" aria-label={t('no')} className={styles.no}>
        –
      </span>
    );
  }
  return <IconCheck size={17} stroke={1.75} role="img" aria-label={t('yes')} className={styles.yes} />;
}
