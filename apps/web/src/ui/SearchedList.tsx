import { Combobox } from '@base-ui/react/combobox';
import { IconChevronDown } from '@tabler/icons-react';
import { type FocusEventHandler, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ControlProps } from './Field.tsx';
import styles from './SearchedList.module.css';

interface Item {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

interface Props {
  readonly control: ControlProps;
  readonly options: readonly Item[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly name?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly required?: boolean | undefined;
  readonly onBlur?: FocusEventHandler<HTMLElement> | undefined;
  /** Focus the field at once, because it replaces a select that had the focus. */
  readonly autoFocus: boolean;
}

/** A list with many options that the user searches by typing. */
export function SearchedList({
  control,
  options,
  value,
  onChoose,
  name,
  disabled,
  required,
  onBlur,
  autoFocus,
}: Props) {
  const { t } = useTranslation('forms');
  const items = useMemo(
    () => Combobox.createItems([...options], { getValue: item => item.value, getLabel: item => item.label }),
    [options],
  );
  // Inside a dialog, the list must open inside the dialog's element: the dialog covers the rest of the page.
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  return (
    <Combobox.Root
      items={items}
      value={value}
      onValueChange={chosen => chosen !== null && onChoose(chosen)}
      disabled={disabled}
      autoHighlight
    >
      <Combobox.InputGroup ref={setFrame} className={styles.frame}>
        <Combobox.Input
          {...control}
          // While the list is open, the rest of the page is hidden from screen readers, including `label` elements.
          aria-labelledby={`${control.id}-label`}
          className={`${control.className} ${styles.input}`}
          data-field={name}
          aria-required={required}
          onBlur={onBlur}
          onFocus={event => event.currentTarget.select()}
          autoFocus={autoFocus}
          autoComplete="off"
        />
        <Combobox.Icon className={styles.icon}>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </Combobox.Icon>
      </Combobox.InputGroup>
      <Combobox.Portal container={frame?.closest('dialog') ?? undefined}>
        <Combobox.Positioner className={styles.place} sideOffset={4}>
          <Combobox.Popup className={styles.popup}>
            <Combobox.Empty>
              <p className={styles.none}>{t('noMatch')}</p>
            </Combobox.Empty>
            <Combobox.List className={styles.list}>
              {(item: Item) => (
                <Combobox.Item key={item.value} value={item.value} disabled={item.disabled} className={styles.item}>
                  {item.label}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
