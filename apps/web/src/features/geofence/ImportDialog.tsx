import { NetworkError, ProblemError } from '@milepost/client';
import { findTowns, GEOFENCE_IMPORT_MAX, type NewGeofence, newGeofenceSchema, type Town } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { loadChunk } from '../../base/chunks/load-chunk.ts';
import { describeError } from '../../base/describe-error.ts';
import { issueWords } from '../../base/problem-words.ts';
import { toast } from '../../base/toasts/toast.ts';
import { problemOf } from '../../geofences/shapes.ts';
import { addAll, useGeofenceGroups, useGeofences } from '../../geofences/use-geofences.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { findAddress } from './find-address.ts';
import styles from './GeofenceForm.module.css';
import type { ImportRow } from './import-file.ts';

interface Props {
  readonly onClose: () => void;
}

interface Checked {
  readonly good: readonly NewGeofence[];
  readonly wrong: readonly { readonly row: number; readonly name: string; readonly why: string }[];
}

/** Reads a file, shows its geofences and the rows with errors, and creates all valid ones at once. */
export function ImportDialog({ onClose }: Props) {
  const { t } = useTranslation(['geofence', 'forms', 'problems']);
  const { data: known } = useGeofences();
  const { data: groups } = useGeofenceGroups();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  /** Progress of the address search. */
  const [looking, setLooking] = useState<string | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: addAll,
    onSuccess: made => {
      toast(t('importDialog.done', { count: made.length }));
      onClose();
    },
  });

  async function read(file: File): Promise<void> {
    setChecked(null);
    setUnreadable(null);
    const { readImport } = await loadChunk(() => import('./import-file.ts'));
    try {
      const given = readImport(file.name, await file.text(), number => t('importDialog.nameless', { number }));
      const rows = await found(given);
      const names = new Set(known?.map(({ name }) => name.toLocaleLowerCase()));
      const good: NewGeofence[] = [];
      const groupIds = new Map(groups?.map(({ id, name }) => [name.toLocaleLowerCase(), id]));
      const wrong = rows.flatMap(({ row, name, geofence, problem, group }) => {
        const why = geofence ? whyNot(geofence, names) : t(`importDialog.${problem ?? 'noTown'}`);
        if (why !== null || geofence === null) return [{ row, name, why: why ?? '' }];
        names.add(geofence.name.toLocaleLowerCase());
        // Into the group of that name, if there is one.
        const groupId = groupIds.get(group?.toLocaleLowerCase() ?? '');
        good.push(groupId === undefined ? geofence : { ...geofence, groupId });
        return [];
      });
      if (rows.length === 0) setUnreadable(t('importDialog.empty'));
      else setChecked({ good, wrong });
    } catch (failure) {
      setLooking(null);
      const isOfServer = failure instanceof ProblemError || failure instanceof NetworkError;
      setUnreadable(isOfServer ? describeError(failure).message : t('importDialog.unreadable'));
    }
  }

  /** Looks up addresses one after the other, and each town only once. */
  async function found(rows: readonly ImportRow[]): Promise<ImportRow[]> {
    const towns = new Map<string, Promise<Town | null>>();
    const placed: ImportRow[] = [];
    const count = rows.filter(({ address }) => address).length;
    for (const row of rows) {
      if (!row.address) {
        placed.push(row);
        continue;
      }
      const { radiusM, text } = row.address;
      setLooking(`${towns.size + 1} / ${count}`);
      const asked = towns.get(text) ?? findAddress(text, name => call(findTowns, { query: { q: name } }));
      towns.set(text, asked);
      const town = await asked;
      const center: [number, number] | null = town && [town.lon, town.lat];
      placed.push({
        ...row,
        geofence: center && { name: row.name, shape: { kind: 'circle', center: [center[0], center[1]], radiusM } },
      });
    }
    setLooking(null);
    return placed;
  }

  function whyNot(geofence: NewGeofence, names: ReadonlySet<string>): string | null {
    const { error: refused } = newGeofenceSchema.safeParse(geofence);
    const [issue] = refused?.issues ?? [];
    if (issue) return issueWords(issue);
    if (names.has(geofence.name.toLocaleLowerCase())) return t('problems:geofence-name-taken');
    const problem = problemOf(geofence.shape);
    return problem && t(`problems:${problem.code}`, { point: problem.point + 1, min: 3 });
  }

  const good = checked?.good.slice(0, GEOFENCE_IMPORT_MAX) ?? [];
  return (
    <Dialog open onClose={onClose} title={t('importDialog.title')} closeLabel={t('forms:close')}>
      <div className={styles.import}>
        <p>{t('importDialog.text')}</p>
        <Field label={t('importDialog.file')} error={unreadable ?? undefined}>
          {control => (
            <input
              {...control}
              type="file"
              accept=".geojson,.json,.kml,.gpx,.csv,.txt"
              onChange={event => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void read(file);
              }}
            />
          )}
        </Field>
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        {looking !== null && <p role="status">{t('importDialog.looking', { part: looking })}</p>}
        {checked && <p role="status">{t('importDialog.found', { count: good.length })}</p>}
        {checked && checked.wrong.length > 0 && (
          <div className={styles.wrong}>
            <table>
              <caption>{t('importDialog.wrong', { count: checked.wrong.length })}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('importDialog.row')}</th>
                  <th scope="col">{t('name')}</th>
                  <th scope="col">{t('importDialog.problem')}</th>
                </tr>
              </thead>
              <tbody>
                {checked.wrong.map(({ row, name, why }) => (
                  <tr key={row}>
                    <td>{row}</td>
                    <td>{name}</td>
                    <td>{why}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" busy={isPending} disabled={good.length === 0} onClick={() => mutate(good)}>
            {t('importDialog.start', { count: good.length })}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
