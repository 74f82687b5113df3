import { IconChevronDown } from '@tabler/icons-react';
import {
  type ChangeEvent,
  type ComponentPropsWithRef,
  type ComponentType,
  type FocusEventHandler,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type ControlProps, Field, type FieldLook } from './Field.tsx';
import type { SearchedList } from './SearchedList.tsx';
import styles from './SelectField.module.css';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

interface Props extends FieldLook, Omit<ComponentPropsWithRef<'select'>, 'className' | 'children'> {
  readonly options: readonly Option[];
}

/** Lists with more options than this are searchable. */
const LONG = 20;

/**
 * Chooses one option with the browser's own select, which works with every keyboard, screen reader and phone. Long
 * lists are searchable instead.
 */
export function SelectField({ label, optional, hint, error, className, options, ...select }: Props) {
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => {
        const props = { control, options, select };
        return options.length > LONG && typeof select.value === 'string' ? (
          <LongList {...props} value={select.value} />
        ) : (
          <BrowserList {...props} />
        );
      }}
    </Field>
  );
}

interface ListProps {
  readonly control: ControlProps;
  readonly options: readonly Option[];
  readonly select: ComponentPropsWithRef<'select'>;
}

const BrowserList = ({ control, options, select }: ListProps) => (
  <span className={styles.frame}>
    <select {...select} {...control} className={`${control.className} ${styles.select}`}>
      {options.map(option => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
    <IconChevronDown size={16} stroke={1.75} aria-hidden />
  </span>
);

/** Shows the browser's select until the searchable list has loaded. */
function LongList({ control, options, select, value }: ListProps & { readonly value: string }) {
  const [List, setList] = useState<ComponentType<Parameters<typeof SearchedList>[0]> | null>(null);
  const element = useRef<HTMLSelectElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    let isGone = false;
    import('./SearchedList.tsx').then(
      loaded => {
        hadFocus.current = element.current !== null && element.current === document.activeElement;
        if (!isGone) setList(() => loaded.SearchedList);
      },
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (!List) return <BrowserList control={control} options={options} select={{ ...select, ref: element }} />;
  const { name, disabled, required, onBlur, onChange } = select;
  const choose = (chosen: string): void => {
    const target = { name, value: chosen };
    onChange?.({ target, currentTarget: target } as ChangeEvent<HTMLSelectElement>);
  };
  return (
    <List
      {...{ control, options, value, name, disabled, required }}
      onChoose={choose}
      onBlur={onBlur as FocusEventHandler<HTMLElement> | undefined}
      autoFocus={hadFocus.current}
    />
  );
}
