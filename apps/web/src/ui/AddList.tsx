import { Combobox } from '@base-ui/react/combobox';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './AddList.module.css';
import { Field, type FieldLook } from './Field.tsx';
import listStyles from './SearchedList.module.css';
import type { Option } from './SelectField.tsx';
import { Token } from './Token.tsx';

interface Props extends FieldLook {
  readonly options: readonly Option[];
  /** By value, in the order in which they were added. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** What to add: shown in the empty field. */
  readonly placeholder: string;
  readonly removeLabel: (label: string) => string;
  /** The label of what is chosen and no longer an option. */
  readonly goneLabel?: string;
  readonly max?: number;
  /** In place of tokens, if what is chosen is shown in another way. */
  readonly children?: ReactNode;
}

/**
 * Adds as many options as the user wants: typing searches them, arrow keys move, Enter adds or removes one, and the next
 * letter searches again. What is chosen is below, each with its own button to remove it.
 */
export function AddList({
  options,
  chosen,
  onChange,
  placeholder,
  removeLabel,
  goneLabel,
  max = Number.POSITIVE_INFINITY,
  children,
  ...look
}: Props) {
  const { t } = useTranslation('forms');
  const isFull = chosen.length >= max;
  const items = useMemo(
    () => Combobox.createItems([...options], { getValue: item => item.value, getLabel: item => item.label }),
    [options],
  );
  // Inside a dialog, the list must open inside the dialog's element: the dialog covers the rest of the page.
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  const labelOf = (value: string): string =>
    options.find(option => option.value === value)?.label ?? goneLabel ?? value;
  return (
    <div className={styles.adding}>
      <Field {...look}>
        {control => (
          <Combobox.Root
            items={items}
            multiple
            value={[...chosen]}
            onValueChange={onChange}
            onOpenChange={setOpen}
            autoHighlight
          >
            <Combobox.InputGroup ref={setFrame} className={listStyles.frame}>
              <Combobox.Input
                {...control}
                // While the list is open, the rest of the page is hidden from screen readers, including `label` elements.
                aria-labelledby={`${control.id}-label`}
                className={`${control.className} ${listStyles.input}`}
                placeholder={placeholder}
                autoComplete="off"
                // Esc closes the list alone, and a second one the panel around it; it doesn't remove what was added.
                onKeyDown={event => {
                  if (event.key !== 'Escape') return;
                  if (isOpen) event.preventDefault();
                  else event.preventBaseUIHandler();
                }}
              />
              <Combobox.Icon className={listStyles.icon}>
                <IconChevronDown size={16} stroke={1.75} aria-hidden />
              </Combobox.Icon>
            </Combobox.InputGroup>
            <Combobox.Portal container={frame?.closest<HTMLElement>('dialog, [popover]') ?? undefined}>
              <Combobox.Positioner className={listStyles.place} sideOffset={4}>
                <Combobox.Popup className={listStyles.popup}>
                  <Combobox.Empty>
                    <p className={listStyles.none}>{t('noMatch')}</p>
                  </Combobox.Empty>
                  <Combobox.List className={listStyles.list}>
                    {(item: Option) => (
                      <Combobox.Item
                        key={item.value}
                        value={item.value}
                        disabled={item.disabled || (isFull && !chosen.includes(item.value))}
                        className={`${listStyles.item} ${styles.item}`}
                      >
                        {item.label}
                        <Combobox.ItemIndicator>
                          <IconCheck size={16} stroke={1.75} aria-hidden />
                        </Combobox.ItemIndicator>
                      </Combobox.Item>
                    )}
                  </Combobox.List>
                </Combobox.Popup>
              </Combobox.Positioner>
            </Combobox.Portal>
          </Combobox.Root>
        )}
      </Field>
      {children ??
        (chosen.length > 0 && (
          <div className={styles.tokens}>
            {chosen.map(value => (
              <Token
                key={value}
                removeLabel={removeLabel(labelOf(value))}
                onRemove={() => onChange(chosen.filter(one => one !== value))}
              >
                {labelOf(value)}
              </Token>
            ))}
          </div>
        ))}
    </div>
  );
}
