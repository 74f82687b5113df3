import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Chip } from '../../ui/Chip.tsx';
import styles from './GeofenceForm.module.css';
import type { Located } from './look-up.ts';

/** A row of a file whose address was found. */
export interface FoundRow extends Located {
  readonly row: number;
  readonly name: string;
  /** As the file has it. */
  readonly text: string;
}

interface Props {
  readonly rows: readonly FoundRow[];
  /** The rows of unsure matches that are imported all the same. */
  readonly taken: ReadonlySet<number>;
  readonly onTake: (row: number, isTaken: boolean) => void;
}

/** What each address was taken for; those that may be another place are left out unless someone has looked at them. */
export function ImportFound({ onTake, rows, taken }: Props) {
  const { t } = useTranslation('geofence');
  const unsure = rows.filter(({ doubt }) => doubt !== null);
  const inOrder = [...unsure, ...rows.filter(({ doubt }) => doubt === null)];
  return (
    <section className={styles.found} aria-label={t('importDialog.addresses')}>
      <table>
        <caption>
          {t('importDialog.addresses')}
          {unsure.length > 0 && <span>{t('importDialog.unsure', { count: unsure.length })}</span>}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('importDialog.row')}</th>
            <th scope="col">{t('importDialog.inFile')}</th>
            <th scope="col">{t('importDialog.foundAs')}</th>
          </tr>
        </thead>
        <tbody>
          {inOrder.map(({ at, doubt, isTown, row, text }) => (
            <tr key={row}>
              <td>{row}</td>
              <td>{text}</td>
              <td>
                <div className={styles.foundAs}>
                  {[at.name, at.region].filter(Boolean).join(', ')}
                  {isTown && <Chip>{t('importDialog.town')}</Chip>}
                  {doubt !== null && (
                    <>
                      <Chip tone="warning">{t(`importDialog.doubt.${doubt}`)}</Chip>
                      <Checkbox checked={taken.has(row)} onChange={event => onTake(row, event.currentTarget.checked)}>
                        {t('importDialog.take')}
                      </Checkbox>
                    </>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
