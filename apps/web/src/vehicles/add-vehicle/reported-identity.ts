import { imeiOfFourteen, imeiSchema } from '@milepost/contract';

/**
 * The form field for an unknown tracker's identity: the IMEI field if it is an IMEI, otherwise the tracker ID field.
 */
export function reportedIdentity(said: string): { readonly imei: string; readonly trackerId: string } {
  const imei = imeiOfFourteen(said) ?? said;
  return said === '' || imeiSchema.safeParse(imei).success ? { imei, trackerId: '' } : { imei: '', trackerId: said };
}
