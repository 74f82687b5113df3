import { ProblemError } from '@milepost/client';
import { readInspectionPhoto } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { Picture } from '../ui/Picture.tsx';

const ASK_AGAIN_MS = 30_000;

/** A photo of a defect, which the driver's phone may not have sent yet. */
export function DefectPhoto({ id, label }: { readonly id: string; readonly label: string }) {
  const { t } = useTranslation('logbook');
  const { data, error } = useQuery({
    queryKey: ['defect-photo', id],
    queryFn: () => call(readInspectionPhoto, { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: query => (query.state.data ? false : ASK_AGAIN_MS),
    retry: (count, failure) => !(failure instanceof ProblemError) && count < 3,
  });
  if (error instanceof ProblemError) return <span>{t('photoNotSent')}</span>;
  return <Picture file={data} label={label} />;
}
