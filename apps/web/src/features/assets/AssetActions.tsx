import { IconDots, IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../base/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';

interface Props {
  readonly mayWrite: boolean;
  /** Disables the export, since there is nothing to export. */
  readonly isEmpty: boolean;
  readonly onExport: () => void;
  readonly onImport: () => void;
  readonly onAdd: () => void;
}

/** Actions on all vehicles. On a phone, import and export are in a menu. */
export function AssetActions({ mayWrite, isEmpty, onExport, onImport, onAdd }: Props) {
  const { t } = useTranslation(['assets', 'registry']);
  const isPhone = useMedia('(max-width: 37.49em)');
  const add = mayWrite && (
    <Button variant="primary" icon={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={onAdd}>
      {t('add')}
    </Button>
  );
  if (isPhone) {
    return (
      <>
        {add}
        <Menu
          trigger={trigger => (
            <Button {...trigger} icon={<IconDots size={17} stroke={1.75} aria-hidden />}>
              {t('registry:actions')}
            </Button>
          )}
        >
          <MenuItem onClick={onExport}>{t('export')}</MenuItem>
          {mayWrite && <MenuItem onClick={onImport}>{t('import.open')}</MenuItem>}
        </Menu>
      </>
    );
  }
  return (
    <>
      <Button icon={<IconDownload size={17} stroke={1.75} aria-hidden />} disabled={isEmpty} onClick={onExport}>
        {t('export')}
      </Button>
      {mayWrite && (
        <Button icon={<IconFileImport size={17} stroke={1.75} aria-hidden />} onClick={onImport}>
          {t('import.open')}
        </Button>
      )}
      {add}
    </>
  );
}
