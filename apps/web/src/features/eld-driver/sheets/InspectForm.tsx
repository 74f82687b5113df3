import { INSPECTION_PARTS, VEHICLE_UNIT } from '@milepost/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../base/toasts/toast.ts';
import { putInOutbox } from '../../../phone/phone-outbox.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { focusInvalid } from '../focus-invalid.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { dropDraft, type FoundDefect, type InspectionDraft, keepDraft, type Part } from '../store/inspection-draft.ts';
import { useAct } from '../use-act.ts';
import { DefectFields, isDescribed } from './DefectFields.tsx';
import type { SheetProps } from './sheet-props.ts';

const WHEN = ['pre-trip', 'post-trip'] as const;
const UNIT_MAX = 10;

interface Props extends SheetProps {
  readonly vehicle: InspectionDraft['vehicle'];
  /** What this driver had entered about the vehicle before the browser was closed. */
  readonly begun: InspectionDraft | null;
}

/** Defective parts and the signature. What is entered is stored on the phone until it is signed. */
export function InspectForm({ duty, vehicle, begun, onClose }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const owner = useDriverDuty(state => state.owner);
  const hasDriven = duty.days[0]?.segments.some(({ status }) => status === 'D') ?? false;
  const [when, setWhen] = useState(begun?.when ?? (hasDriven ? 'post-trip' : 'pre-trip'));
  const [trailers, setTrailers] = useState(begun?.trailers ?? duty.trailers);
  const [found, setFound] = useState<ReadonlyMap<Part, FoundDefect>>(begun?.found ?? new Map());
  const [tried, setTried] = useState(false);
  // A second tap must not sign a second report while the first is being stored.
  const isSigning = useRef(false);
  const isTouched = useRef(begun !== null);
  const { deviceName, id: vehicleId } = vehicle;
  useEffect(() => {
    if (owner === null || !isTouched.current) return;
    void keepDraft({ owner, vehicle: { id: vehicleId, deviceName }, when, trailers, found });
  }, [owner, vehicleId, deviceName, when, trailers, found]);
  const units = [
    VEHICLE_UNIT,
    ...trailers.split(/[\s,]+/).flatMap(one => (one === '' ? [] : [one.slice(0, UNIT_MAX)])),
  ];
  const change = (part: Part, defect: FoundDefect | null) => {
    isTouched.current = true;
    const next = new Map(found);
    if (defect === null) next.delete(part);
    else next.set(part, defect);
    setFound(next);
  };

  async function sign(form: HTMLFormElement): Promise<void> {
    setTried(true);
    if (![...found.values()].every(isDescribed)) return focusInvalid(form);
    if (isSigning.current) return;
    isSigning.current = true;
    try {
      if (await store()) onClose();
    } finally {
      isSigning.current = false;
    }
  }

  async function store(): Promise<boolean> {
    const defects = [...found].map(([part, { affectsSafety, photos, unit, what }]) => ({
      part,
      unit: units.includes(unit) ? unit : VEHICLE_UNIT,
      what: what.trim(),
      affectsSafety,
      photos: photos.map(({ id }) => id),
    }));
    // Store the photos first: a report must not name photos that are not on the phone.
    const photos = [...found.values()].flatMap(defect => defect.photos);
    if (owner !== null && photos.length > 0) {
      try {
        await putInOutbox(
          owner,
          photos.map(({ file, id }) => ({ kind: 'inspection-photo', photoId: id, vehicleId, file })),
        );
      } catch {
        toast(t('inspect.photosNotKept'), 'error');
        return false;
      }
    }
    const saved = t('inspect.saved');
    if (!(await run({ kind: 'inspect', vehicleId, when, trailers: trailers.trim(), defects }, saved))) return false;
    if (owner !== null) await dropDraft(owner);
    return true;
  }

  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        void sign(event.currentTarget);
      }}
    >
      <div className={styles.halves}>
        <Segments
          label={t('inspect.when')}
          segments={WHEN.map(id => ({ id, label: t(`inspect.${id}`) }))}
          chosen={when}
          onChoose={setWhen}
        />
      </div>
      <TextField
        label={t('inspect.trailers')}
        value={trailers}
        maxLength={32}
        autoComplete="off"
        onChange={event => setTrailers(event.target.value)}
      />
      <fieldset className={styles.days}>
        <legend>{t('inspect.parts')}</legend>
        {INSPECTION_PARTS.map(part => {
          const name = t(`inspect.part.${part}`);
          const defect = found.get(part);
          return (
            <div key={part}>
              <Checkbox
                className={styles.check}
                checked={defect !== undefined}
                onChange={event =>
                  change(
                    part,
                    event.target.checked ? { unit: VEHICLE_UNIT, what: '', affectsSafety: true, photos: [] } : null,
                  )
                }
              >
                {name}
              </Checkbox>
              {defect && (
                <DefectFields
                  {...{ defect, name, units }}
                  showsErrors={tried}
                  onChange={changed => change(part, changed)}
                />
              )}
            </div>
          );
        })}
      </fieldset>
      <p>
        <b>{found.size === 0 ? t('inspect.noDefects') : t('inspect.defects', { count: found.size })}</b>
      </p>
      <Button type="submit" variant="primary" size="large" wide busy={busy}>
        {t('inspect.sign', { name: duty.driver.name })}
      </Button>
    </form>
  );
}
