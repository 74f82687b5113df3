import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import styles from './GroupPanel.module.css';
import type { GroupNode } from './groups.ts';
import type { GroupKind } from './organisation.ts';

export type OpenedGroupDialog =
  | { readonly dialog: 'new'; readonly parentId: string | null }
  | { readonly dialog: 'edit' | 'delete'; readonly group: GroupNode };

interface Props {
  readonly kind: GroupKind;
  readonly group: GroupNode;
  readonly onOpen: (opened: OpenedGroupDialog) => void;
}

/** The menu of a folder or department in its row. */
export function GroupMenu({ kind, group, onOpen }: Props) {
  const { t } = useTranslation('organisation');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps what is meant for the menu from the row around it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside have their keys.
    <span onClick={event => event.stopPropagation()}>
      <Menu
        trigger={trigger => (
          <IconButton
            {...trigger}
            label={t(`${kind}.actions`, { name: group.name })}
            tooltip="none"
            className={styles.menu}
          >
            <IconDots size={17} stroke={1.75} aria-hidden />
          </IconButton>
        )}
      >
        <MenuItem onClick={() => onOpen({ dialog: 'new', parentId: group.id })}>{t(`${kind}.addInside`)}</MenuItem>
        <MenuItem onClick={() => onOpen({ dialog: 'edit', group })}>{t(`${kind}.edit`)}</MenuItem>
        <MenuItem onClick={() => onOpen({ dialog: 'delete', group })}>{t(`${kind}.delete`)}</MenuItem>
      </Menu>
    </span>
  );
}
