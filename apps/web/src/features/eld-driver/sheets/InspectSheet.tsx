import { INSPECTION_PARTS, VEHICLE_UNIT } from '@milepost/contract';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../base/toasts/toast.ts';
import { newId } from '../../../phone/new-id.ts';
import { PhotoField } from '../../../phone/PhotoField.tsx';
import { putInOutbox } from '../../../phone/phone-outbox.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { focusInvalid } from '../focus-invalid.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { useAct } from '../use-act.ts';
import type { SheetProps } from './sheet-props.ts';

const WHEN = ['pre-trip', 'post-trip'] as const;
type Part = (typeof INSPECTION_PARTS)[number];
const UNIT_MAX = 10;
/** The contract's limit per defect. */
const PHOTOS_MAX = 6;

interface Photo {
  readonly id: string;
  readonly file: Blob;
}

interface Found {
  readonly unit: string;
  readonly what: string;
  readonly affectsSafety: boolean;
  readonly photos: readonly Photo[];
}

/** The driver's inspection before or after a trip: defective parts and the signature (396.11, 396.13). */
export function InspectSheet({ duty, onClose }: SheetProps) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { busy, run } = useAct();
  const hasDriven = duty.days[0]?.segments.some(({ status }) => status === 'D') ?? false;
  const [when, setWhen] = useState<(typeof WHEN)[number]>(hasDriven ? 'post-trip' : 'pre-trip');
  const [trailers, setTrailers] = useState(duty.trailers);
  const [found, setFound] = useState<ReadonlyMap<Part, Found>>(new Map());
  const [tried, setTried] = useState(false);
  if (!duty.vehicle) return <p className={styles.form}>{t('inspect.noVehicle')}</p>;
  const vehicleId = duty.vehicle.id;
  const units = [
    VEHICLE_UNIT,
    ...trailers.split(/[\s,]+/).flatMap(one => (one === '' ? [] : [one.slice(0, UNIT_MAX)])),
  ];
  const change = (part: Part, defect: Found | null) => {
    const next = new Map(found);
    if (defect === null) next.delete(part);
    else next.set(part, defect);
    setFound(next);
  };

  async function sign(form: HTMLFormElement): Promise<void> {
    setTried(true);
    if ([...found.values()].some(({ what }) => what.trim() === '')) return focusInvalid(form);
    const defects = [...found].map(([part, { affectsSafety, photos, unit, what }]) => ({
      part,
      unit: units.includes(unit) ? unit : VEHICLE_UNIT,
      what: what.trim(),
      affectsSafety,
      photos: photos.map(({ id }) => id),
    }));
    // Store the photos first: a report must not name photos that are not on the phone.
    const photos = [...found.values()].flatMap(defect => defect.photos);
    const owner = useDriverDuty.getState().owner;
    if (owner !== null && photos.length > 0) {
      try {
        await putInOutbox(
          owner,
          photos.map(({ file, id }) => ({ kind: 'inspection-photo', photoId: id, vehicleId, file })),
        );
      } catch {
        toast(t('inspect.photosNotKept'), 'error');
        return;
      }
    }
    const saved = t('inspect.saved');
    if (await run({ kind: 'inspect', vehicleId, when, trailers: trailers.trim(), defects }, saved)) onClose();
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
                <div className={styles.defect}>
                  {units.length > 1 && (
                    <SelectField
                      label={t('inspect.unit')}
                      options={units.map(unit => ({
                        value: unit,
                        label: unit === VEHICLE_UNIT ? t('inspect.unitVehicle') : unit,
                      }))}
                      value={units.includes(defect.unit) ? defect.unit : VEHICLE_UNIT}
                      onChange={event => change(part, { ...defect, unit: event.target.value })}
                    />
                  )}
                  <TextField
                    label={t('inspect.what', { part: name })}
                    error={tried && defect.what.trim() === '' ? t('inspect.whatMissing') : undefined}
                    value={defect.what}
                    maxLength={300}
                    onChange={event => change(part, { ...defect, what: event.target.value })}
                  />
                  <Checkbox
                    className={styles.check}
                    checked={defect.affectsSafety}
                    onChange={event => change(part, { ...defect, affectsSafety: event.target.checked })}
                  >
                    {t('inspect.affectsSafety')}
                  </Checkbox>
                  <div className={styles.photos}>
                    {defect.photos.map(({ file, id }, n) => (
                      <span key={id} className={styles.photo}>
                        <Picture file={file} label={t('inspect.photo', { part: name, n: n + 1 })} />
                        <IconButton
                          bordered
                          label={t('inspect.removePhoto', { part: name, n: n + 1 })}
                          onClick={() =>
                            change(part, { ...defect, photos: defect.photos.filter(one => one.id !== id) })
                          }
                        >
                          <IconX size={18} stroke={1.75} aria-hidden />
                        </IconButton>
                      </span>
                    ))}
                    <PhotoField
                      disabled={defect.photos.length >= PHOTOS_MAX}
                      onPhoto={file => change(part, { ...defect, photos: [...defect.photos, { id: newId(), file }] })}
                    >
                      {t('inspect.addPhoto')}
                    </PhotoField>
                  </div>
                </div>
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
