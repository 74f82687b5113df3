import { IconArrowDown, IconArrowUp, IconColumns3, IconMinus, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import styles from './ColumnChooser.module.css';
import {
  type ChosenColumn,
  COLUMN_IDS,
  FIRST_COLUMN,
  movedColumn,
  resizedColumn,
  toggledColumn,
} from './column-ids.ts';
import { COLUMNS } from './columns.ts';

interface Props {
  readonly columns: readonly ChosenColumn[];
  readonly isDefault: boolean;
  /** Null restores the default columns. */
  readonly onColumns: (columns: readonly ChosenColumn[] | null) => void;
}

const WIDER_PX = 24;

/** Chooses columns, their order and widths: everything that dragging does, with buttons. */
export function ColumnChooser({ columns, isDefault, onColumns }: Props) {
  const { t } = useTranslation(['fleet', 'vehicle']);
  const system = useMeasureSystem();
  const shown = new Set(columns.map(({ id }) => id));
  const hiddenOnes = COLUMN_IDS.filter(id => !shown.has(id));
  return (
    <Popover
      label={t('chooser.title')}
      trigger={props => (
        <Button {...props} icon={<IconColumns3 size={17} stroke={1.75} aria-hidden />}>
          {t('chooser.open')}
        </Button>
      )}
    >
      <div className={styles.chooser}>
        <h3>{t('chooser.shown')}</h3>
        <ul>
          {columns.map((column, at) => {
            const { id } = column;
            const name = nameOf(id);
            const width = column.width ?? COLUMNS[id].width;
            const resize = (by: number) => onColumns(resizedColumn(columns, id, width + by));
            return (
              <li key={id}>
                <Checkbox checked disabled={id === FIRST_COLUMN} onChange={() => onColumns(toggledColumn(columns, id))}>
                  {name}
                </Checkbox>
                <IconButton label={t('chooser.narrower', { name })} tooltip="none" onClick={() => resize(-WIDER_PX)}>
                  <IconMinus size={15} stroke={1.75} aria-hidden />
                </IconButton>
                <IconButton label={t('chooser.wider', { name })} tooltip="none" onClick={() => resize(WIDER_PX)}>
                  <IconPlus size={15} stroke={1.75} aria-hidden />
                </IconButton>
                <IconButton
                  label={t('chooser.earlier', { name })}
                  tooltip="none"
                  disabled={at < 2}
                  onClick={() => onColumns(movedColumn(columns, id, at - 1))}
                >
                  <IconArrowUp size={15} stroke={1.75} aria-hidden />
                </IconButton>
                <IconButton
                  label={t('chooser.later', { name })}
                  tooltip="none"
                  disabled={at === 0 || at === columns.length - 1}
                  onClick={() => onColumns(movedColumn(columns, id, at + 1))}
                >
                  <IconArrowDown size={15} stroke={1.75} aria-hidden />
                </IconButton>
              </li>
            );
          })}
        </ul>
        {hiddenOnes.length > 0 && <h3>{t('chooser.hidden')}</h3>}
        <ul>
          {hiddenOnes.map(id => (
            <li key={id}>
              <Checkbox checked={false} onChange={() => onColumns(toggledColumn(columns, id))}>
                {nameOf(id)}
              </Checkbox>
            </li>
          ))}
        </ul>
        {!isDefault && <Button onClick={() => onColumns(null)}>{t('chooser.reset')}</Button>}
      </div>
    </Popover>
  );

  /** In this list, a name that is only a unit would say nothing, so the speed column has another. */
  function nameOf(id: (typeof COLUMN_IDS)[number]): string {
    return id === 'speed' ? t('columns.speed') : COLUMNS[id].head(t, system);
  }
}
