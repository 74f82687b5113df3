import { NetworkError, ProblemError } from '@milepost/client';
import {
  findAddresses,
  findTowns,
  GEOFENCE_COLORS,
  GEOFENCE_IMPORT_MAX,
  type Language,
  type NewGeofence,
  newGeofenceSchema,
} from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
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
import styles from './GeofenceForm.module.css';
import { type FoundRow, ImportFound } from './ImportFound.tsx';
import { ImportGroups } from './ImportGroups.tsx';
import type { ImportRow } from './import-file.ts';
import { createLookUp, type Unlocated } from './look-up.ts';

const GROUP_NAME_MAX = 60;

interface Props {
  readonly onClose: () => void;
}

/** A geofence to create; `group`: the group that the file says, if the account has none of that name. */
type GoodRow = NewGeofence & { readonly row: number; readonly group?: string };

interface Checked {
  readonly good: readonly GoodRow[];
  readonly wrong: readonly { readonly row: number; readonly name: string; readonly why: string }[];
  readonly found: readonly FoundRow[];
}

/** A row with its place, and what its address was taken for, or why it was not found. */
interface Placed extends ImportRow {
  readonly found?: FoundRow;
  readonly unlocated?: Unlocated;
}

/** Reads a file, shows its geofences and the rows with errors, and creates all valid ones at once. */
export function ImportDialog({ onClose }: Props) {
  const { i18n, t } = useTranslation(['geofence', 'forms', 'problems']);
  const { data: known } = useGeofences();
  const { data: groups } = useGeofenceGroups();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  /** Progress of the address search. */
  const [looking, setLooking] = useState<string | null>(null);
  /** Rows whose address may be another one, and that someone wants all the same. */
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set());
  /** Groups of the file that aren't to be created. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  /** The file that is being read: another one, or closing the dialog, ends the search. */
  const reading = useRef<File | null>(null);
  useEffect(
    () => () => {
      reading.current = null;
    },
    [],
  );
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => addAll(good, newGroups),
    onSuccess: made => {
      toast(t('importDialog.done', { count: made.length }));
      onClose();
    },
  });

  async function read(file: File): Promise<void> {
    reading.current = file;
    setChecked(null);
    setUnreadable(null);
    setLooking(null);
    setTaken(new Set());
    setLeft(new Set());
    const { readImport } = await loadChunk(() => import('./import-file.ts'));
    try {
      const given = readImport(file.name, await file.text(), number => t('importDialog.nameless', { number }));
      const rows = await located(given, file);
      if (rows === null) return;
      const names = new Set(known?.map(({ name }) => name.toLocaleLowerCase()));
      const good: GoodRow[] = [];
      /** The file's groups, which may be written in several ways. */
      const newGroups = new Map<string, string>();
      const groupNamed = (group: string): string => {
        const name = group.slice(0, GROUP_NAME_MAX).trim();
        const key = name.toLocaleLowerCase();
        newGroups.set(key, newGroups.get(key) ?? name);
        return newGroups.get(key) ?? name;
      };
      const groupIds = new Map(groups?.map(({ id, name }) => [name.toLocaleLowerCase(), id]));
      const wrong = rows.flatMap(({ row, name, geofence, problem, group, unlocated }) => {
        const why = geofence
          ? whyNot(geofence, names)
          : t(problem ? `importDialog.${problem}` : `importDialog.unlocated.${unlocated ?? 'none'}`);
        if (why !== null || geofence === null) return [{ row, name, why: why ?? '' }];
        names.add(geofence.name.toLocaleLowerCase());
        // Into the group of that name, if there is one.
        const groupId = groupIds.get(group?.toLocaleLowerCase() ?? '');
        good.push({
          ...geofence,
          row,
          ...(groupId !== undefined ? { groupId } : group !== undefined && { group: groupNamed(group) }),
        });
        return [];
      });
      if (rows.length === 0) setUnreadable(t('importDialog.empty'));
      else setChecked({ good, wrong, found: rows.flatMap(({ found }) => found ?? []) });
    } catch (failure) {
      if (reading.current !== file) return;
      setLooking(null);
      const isOfServer = failure instanceof ProblemError || failure instanceof NetworkError;
      setUnreadable(isOfServer ? describeError(failure).message : t('importDialog.unreadable'));
    }
  }

  /** With the places of addresses, one after the other; null if nobody waits for them any more. */
  async function located(rows: readonly ImportRow[], file: File): Promise<Placed[] | null> {
    const count = rows.filter(({ address }) => address).length;
    if (count === 0) return [...rows];
    const { NEW_RADIUS_M, NEW_TOWN_RADIUS_M } = await loadChunk(() => import('./import-file.ts'));
    const find = createLookUp({
      findTowns: name => call(findTowns, { query: { q: name } }),
      findAddresses: text => call(findAddresses, { query: { q: text, language: i18n.language as Language } }),
      rest: ms => new Promise(resolve => setTimeout(resolve, ms)),
    });
    const placed: Placed[] = [];
    let nth = 0;
    for (const each of rows) {
      if (!each.address) {
        placed.push(each);
        continue;
      }
      const { row, name } = each;
      const { radiusM, text } = each.address;
      setLooking(`${++nth} / ${count}`);
      const place = await find(text);
      if (reading.current !== file) return null;
      if (typeof place === 'string') {
        placed.push({ ...each, unlocated: place });
        continue;
      }
      const { at, isTown } = place;
      const radius = radiusM ?? (isTown ? NEW_TOWN_RADIUS_M : NEW_RADIUS_M);
      placed.push({
        ...each,
        geofence: { name, shape: { kind: 'circle', center: [at.lon, at.lat], radiusM: radius } },
        found: { ...place, row, name, text },
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

  const unsure = new Set(checked?.found.flatMap(({ doubt, row }) => (doubt === null || taken.has(row) ? [] : row)));
  const wanted = (checked?.good ?? []).filter(({ row }) => !unsure.has(row)).slice(0, GEOFENCE_IMPORT_MAX);
  const missing = new Map(
    [
      ...Map.groupBy(
        wanted.filter(({ group }) => group !== undefined),
        ({ group }) => group ?? '',
      ),
    ]
      .map(([group, rows]) => [group, rows.length] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
  const newGroups = [...missing.keys()]
    .filter(group => !left.has(group))
    .map((name, nth) => ({
      name,
      // As the file has its geofences; otherwise a color of its own.
      color:
        wanted.find(({ color, group }) => group === name && color !== undefined)?.color ??
        GEOFENCE_COLORS[nth % GEOFENCE_COLORS.length] ??
        'blue',
    }));
  const good = wanted.map(({ group, row: _, ...geofence }) => ({
    ...geofence,
    ...(group !== undefined && !left.has(group) && { newGroup: group }),
  }));
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
        {checked && checked.found.length > 0 && (
          <ImportFound
            rows={checked.found.filter(({ row }) => checked.good.some(one => one.row === row))}
            taken={taken}
            onTake={(row, isTaken) => {
              const next = new Set(taken);
              if (isTaken) next.add(row);
              else next.delete(row);
              setTaken(next);
            }}
          />
        )}
        {missing.size > 0 && (
          <ImportGroups
            groups={missing}
            left={left}
            onLeave={group => setLeft(left.symmetricDifference(new Set([group])))}
          />
        )}
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
          <Button variant="primary" busy={isPending} disabled={good.length === 0} onClick={() => mutate()}>
            {t('importDialog.start', { count: good.length })}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
