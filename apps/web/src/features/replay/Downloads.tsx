import { downloadTracks, TRACK_FILE_FORMATS, type TrackFileFormat } from '@milepost/contract';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { download } from '../../base/download.ts';
import { toast } from '../../base/toasts/toast.ts';
import { isoDateOf } from '../../format/date.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import type { Range } from './address.ts';

interface Props {
  readonly vehicles: readonly string[];
  readonly range: Range;
}

/** Downloads the replayed tracks as a file for other programs; the server creates it. */
export function Downloads({ vehicles, range: { fromMs, toMs } }: Props) {
  const { t } = useTranslation('replay');
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: TrackFileFormat) => {
      const query = {
        vehicles: vehicles.join(','),
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        format,
      };
      download(await call(downloadTracks, { query }), `replay-${isoDateOf(fromMs)}.${format}`);
    },
    onError: error => toast(describeError(error).message, 'error'),
  });
  return (
    <Menu
      trigger={props => (
        <Button {...props} busy={isPending} disabled={vehicles.length === 0}>
          <IconDownload size={16} stroke={1.75} aria-hidden />
          <span>{t('download')}</span>
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </Button>
      )}
    >
      {TRACK_FILE_FORMATS.map(format => (
        <MenuItem key={format} onClick={() => mutate(format)}>
          {t(`file.${format}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
