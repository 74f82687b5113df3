import { ProblemError } from '@milepost/client';
import { deleteMapFile, MAP_FILE_FAULTS, type MapFile, type MapFileFault, uploadMapFile } from '@milepost/contract';
import { IconTrash, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { formatBytes } from '../format/bytes.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { fileName } from './file-name.ts';
import styles from './MapFiles.module.css';

interface Props {
  readonly files: readonly MapFile[];
  readonly chosen: string | null;
  /** The name of the file that the map uses now. */
  readonly inUse: string | null;
  readonly mayChange: boolean;
  readonly onChoose: (name: string) => void;
  readonly onChanged: () => void;
}

/** The street maps on this server: those in its folder and those uploaded here. */
export function MapFiles({ files, chosen, inUse, mayChange, onChoose, onChanged }: Props) {
  const { t } = useTranslation('settings');
  const input = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: (file: File) => call(uploadMapFile, { params: { name: fileName(file.name) }, body: file }),
    onSuccess: ({ name }) => {
      onChoose(name);
      onChanged();
    },
  });
  const remove = useMutation({
    mutationFn: (name: string) => call(deleteMapFile, { params: { name } }),
    onSuccess: onChanged,
  });
  const error = upload.error ?? remove.error;
  const fault = faultOf(error);
  return (
    <>
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map(({ name, bytes, fault }) => (
            <li key={name}>
              <label>
                <input
                  type="radio"
                  name="map-file"
                  checked={chosen === name}
                  disabled={!mayChange || fault !== null}
                  onChange={() => onChoose(name)}
                />
                <span>{name}</span>
              </label>
              <small data-fault={fault !== null || undefined}>
                {fault === null ? formatBytes(bytes) : t(`maps.faults.${fault}`)}
              </small>
              {mayChange && name !== inUse && (
                <IconButton label={t('maps.delete', { name })} tooltip="bottom-end" onClick={() => remove.mutate(name)}>
                  <IconTrash size={15} stroke={1.75} aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {error && (
        <Notice tone="critical">{fault === null ? describeError(error).message : t(`maps.faults.${fault}`)}</Notice>
      )}
      {mayChange && (
        <div>
          <input
            ref={input}
            type="file"
            accept=".pmtiles"
            hidden
            onChange={event => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (file) upload.mutate(file);
            }}
          />
          <Button
            busy={upload.isPending}
            onClick={() => input.current?.click()}
            icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
          >
            {upload.isPending ? t('maps.uploading') : t('maps.upload')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Why the server refused a file; null if the error has another cause. */
function faultOf(error: Error | null): MapFileFault | null {
  const told = error instanceof ProblemError ? error.problem.params?.fault : undefined;
  return MAP_FILE_FAULTS.find(fault => fault === told) ?? null;
}
