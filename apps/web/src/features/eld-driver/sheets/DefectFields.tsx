import { VEHICLE_UNIT } from '@milepost/contract';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { newId } from '../../../phone/new-id.ts';
import { PhotoField } from '../../../phone/PhotoField.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Picture } from '../../../ui/Picture.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import type { FoundDefect } from '../store/inspection-draft.ts';

/** The contract's limit per defect. */
const PHOTOS_MAX = 6;
/** A report says more than a sign or two (`dvirSchema`). */
const WHAT_MIN = 3;

export const isDescribed = ({ what }: Pick<FoundDefect, 'what'>): boolean => what.trim().length >= WHAT_MIN;

interface Props {
  readonly defect: FoundDefect;
  /** The part, in the reader's language. */
  readonly name: string;
  /** The vehicle and its trailers. */
  readonly units: readonly string[];
  readonly showsErrors: boolean;
  readonly onChange: (defect: FoundDefect) => void;
}

/** Where the defect is, what is wrong, whether it affects safety, and photos of it. */
export function DefectFields({ defect, name, units, showsErrors, onChange }: Props) {
  const { t } = useTranslation('eldDriverMore');
  return (
    <div className={styles.defect}>
      {units.length > 1 && (
        <SelectField
          label={t('inspect.unit')}
          options={units.map(unit => ({
            value: unit,
            label: unit === VEHICLE_UNIT ? t('inspect.unitVehicle') : unit,
          }))}
          value={units.includes(defect.unit) ? defect.unit : VEHICLE_UNIT}
          onChange={event => onChange({ ...defect, unit: event.target.value })}
        />
      )}
      <TextField
        label={t('inspect.what', { part: name })}
        error={showsErrors && !isDescribed(defect) ? t('inspect.whatMissing') : undefined}
        value={defect.what}
        maxLength={300}
        onChange={event => onChange({ ...defect, what: event.target.value })}
      />
      <Checkbox
        className={styles.check}
        checked={defect.affectsSafety}
        onChange={event => onChange({ ...defect, affectsSafety: event.target.checked })}
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
              onClick={() => onChange({ ...defect, photos: defect.photos.filter(one => one.id !== id) })}
            >
              <IconX size={18} stroke={1.75} aria-hidden />
            </IconButton>
          </span>
        ))}
        <PhotoField
          disabled={defect.photos.length >= PHOTOS_MAX}
          unusable={t('inspect.photoUnusable')}
          onPhoto={file => onChange({ ...defect, photos: [...defect.photos, { id: newId(), file }] })}
        >
          {t('inspect.addPhoto')}
        </PhotoField>
      </div>
    </div>
  );
}
