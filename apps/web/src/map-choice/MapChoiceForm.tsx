import { type MapChoice, type MapFile, updateMapChoice } from '@milepost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { BASE_MAP_KEY } from '../base/base-map.ts';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { TextArea, TextField } from '../ui/TextField.tsx';
import { MapCards } from './MapCards.tsx';
import styles from './MapChoiceForm.module.css';
import { MapFiles } from './MapFiles.tsx';
import { type DraftField, draftOf, isTiles, type MapDraft, readDraft } from './map-draft.ts';
import { MAP_CHOICE_KEY } from './use-map-choice.ts';

interface Props {
  readonly choice: MapChoice;
  readonly fromEnvironment: boolean;
  readonly files: readonly MapFile[];
  /** Also offer another service by its address. */
  readonly offersAddress?: boolean;
  /** Called before the page continues with the new map. */
  readonly onSaved?: () => Promise<unknown>;
  /** Wraps the save button, so that other buttons can be placed beside it. */
  readonly actions?: (use: ReactNode) => ReactNode;
}

/** The form for choosing where the map's streets come from, for all users. */
export function MapChoiceForm({ choice, fromEnvironment, files, offersAddress = true, onSaved, actions }: Props) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const [draft, setDraft] = useState<MapDraft>(() => draftOf(choice));
  const [errors, setErrors] = useState<Partial<Record<DraftField, string>>>({});
  const change = (fields: Partial<MapDraft>): void => setDraft(before => ({ ...before, ...fields }));
  const save = useMutation({
    mutationFn: (body: Parameters<typeof readDraft>[0]) => {
      const read = readDraft(body);
      if ('errors' in read) {
        setErrors(read.errors);
        throw new Error('Fields are not right');
      }
      setErrors({});
      return call(updateMapChoice, { body: read.choice });
    },
    onSuccess: async answer => {
      queries.setQueryData(MAP_CHOICE_KEY, answer);
      await onSaved?.();
      const { kind } = answer.choice;
      // A page may load maps only from the hosts in the content security policy it was served with, so it is reloaded.
      if (kind !== 'built-in' && kind !== 'file') return location.reload();
      await queries.invalidateQueries({ queryKey: BASE_MAP_KEY });
      toast(t('maps.saved'));
    },
  });
  const problem = save.error && Object.keys(errors).length === 0 ? describeError(save.error).message : null;
  const hasKey = 'hasKey' in choice && choice.hasKey;
  const addressed = draft.kind === 'address';
  const use = (
    <Button type="submit" variant="primary" busy={save.isPending} disabled={fromEnvironment}>
      {t(`maps.${draft.kind}.use`)}
    </Button>
  );
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        save.mutate(draft);
      }}
    >
      {fromEnvironment && <Notice>{t('maps.fromEnvironment')}</Notice>}
      <MapCards
        chosen={draft.kind}
        disabled={fromEnvironment}
        onChoose={kind => change({ kind, file: draft.file ?? files.find(({ fault }) => fault === null)?.name ?? null })}
        files={
          <MapFiles
            files={files}
            chosen={draft.kind === 'file' ? draft.file : null}
            inUse={choice.kind === 'file' ? choice.name : null}
            mayChange={!fromEnvironment}
            onChoose={file => change({ kind: 'file', file })}
            onChanged={() => void queries.invalidateQueries({ queryKey: MAP_CHOICE_KEY })}
          />
        }
        address={
          offersAddress &&
          (addressed ? (
            <div className={styles.fields}>
              <TextField
                label={t('maps.address.url')}
                hint={t('maps.address.urlHint')}
                value={draft.address}
                disabled={fromEnvironment}
                error={errors.address}
                onChange={event => change({ address: event.currentTarget.value })}
              />
              <TextField
                label={t('maps.address.attribution')}
                optional={t('maps.optional')}
                hint={t('maps.address.attributionHint')}
                value={draft.attribution}
                disabled={fromEnvironment}
                error={errors.attribution}
                onChange={event => change({ attribution: event.currentTarget.value })}
              />
              <TextField
                label={t('maps.address.key')}
                optional={t('maps.optional')}
                hint={t(hasKey ? 'maps.address.keyKept' : 'maps.address.keyHint')}
                value={draft.key}
                disabled={fromEnvironment}
                autoComplete="off"
                error={errors.key}
                onChange={event => change({ key: event.currentTarget.value })}
              />
              {!isTiles(draft.address) && (
                <>
                  <TextField
                    label={t('maps.address.darkUrl')}
                    optional={t('maps.optional')}
                    value={draft.darkAddress}
                    disabled={fromEnvironment}
                    error={errors.darkAddress}
                    onChange={event => change({ darkAddress: event.currentTarget.value })}
                  />
                  <TextArea
                    label={t('maps.address.hosts')}
                    optional={t('maps.optional')}
                    hint={t('maps.address.hostsHint')}
                    rows={2}
                    value={draft.hosts}
                    disabled={fromEnvironment}
                    error={errors.hosts}
                    onChange={event => change({ hosts: event.currentTarget.value })}
                  />
                </>
              )}
            </div>
          ) : (
            true
          ))
        }
      />
      {(problem ?? errors.file) && <Notice tone="critical">{problem ?? t('maps.chooseFile')}</Notice>}
      {actions ? actions(use) : <div className={styles.actions}>{use}</div>}
    </form>
  );
}
