import { IconCheck } from '@tabler/icons-react';
import {
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  use,
  useId,
  useRef,
  useState,
} from 'react';
import styles from './Menu.module.css';

interface TriggerProps {
  readonly id: string;
  readonly popoverTarget: string;
  readonly 'aria-haspopup': 'menu';
  readonly 'aria-expanded': boolean;
}

const GAP_PX = 6;
const EDGE_PX = 8;

const CloseContext = createContext<() => void>(() => {});

/**
 * A menu that opens below the right end of its button. It uses the browser's popover: it closes on Esc, on a choice and
 * on a click elsewhere, and covers everything else.
 */
export function Menu({
  trigger,
  children,
}: {
  readonly trigger: (props: TriggerProps) => ReactElement;
  readonly children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const close = () => list.current?.hidePopover();

  /** The menu's height is known only after rendering. If it doesn't fit below its button, it moves above. */
  function keepInside(): void {
    const button = document.getElementById(id)?.getBoundingClientRect();
    const element = list.current;
    if (!button || !element || element.getBoundingClientRect().bottom <= window.innerHeight) return;
    element.style.top = `${Math.max(EDGE_PX, button.top - GAP_PX - element.offsetHeight)}px`;
  }

  function onKeyDown(event: KeyboardEvent) {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + (at < 0 ? 1 : 0),
      Home: 0,
      End: -1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all.at(to % all.length)?.focus();
    }
    if (event.key === 'Tab') close();
  }

  return (
    <div className={styles.root}>
      {trigger({ id, popoverTarget: `${id}-list`, 'aria-haspopup': 'menu', 'aria-expanded': open })}
      <div
        id={`${id}-list`}
        ref={list}
        popover="auto"
        role="menu"
        aria-labelledby={id}
        className={styles.list}
        onToggle={event => {
          const shown = event.newState === 'open';
          setOpen(shown);
          if (!shown) return;
          keepInside();
          (items().find(item => item.ariaChecked === 'true') ?? items()[0])?.focus();
        }}
        onBeforeToggle={event => {
          // The popover is in the top layer, so it is positioned by its button's place on the screen.
          const button = document.getElementById(id)?.getBoundingClientRect();
          if (event.newState !== 'open' || !button || !list.current) return;
          list.current.style.top = `${button.bottom + GAP_PX}px`;
          list.current.style.right = `${document.documentElement.clientWidth - button.right}px`;
        }}
        onKeyDown={onKeyDown}
      >
        <CloseContext value={close}>{children}</CloseContext>
      </div>
    </div>
  );
}

/** Items that belong together, below what they are about. */
export function MenuGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu has groups, not fields.
    <div role="group" aria-label={label} className={styles.group}>
      <p aria-hidden>{label}</p>
      {children}
    </div>
  );
}

/** An action, or with `checked` one of several options. */
export function MenuItem({
  icon,
  checked,
  onClick,
  children,
}: {
  readonly icon?: ReactNode;
  readonly checked?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  const close = use(CloseContext);
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: `checked` is given exactly when the role is menuitemradio.
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      tabIndex={-1}
      className={styles.item}
      onClick={() => {
        close();
        onClick();
      }}
    >
      {icon}
      <span className={styles.label}>{children}</span>
      {checked && <IconCheck size={16} stroke={1.75} aria-hidden />}
    </button>
  );
}
