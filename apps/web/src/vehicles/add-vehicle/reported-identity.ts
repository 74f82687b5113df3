import { imeiOfFourteen, imeiSchema } from '@milepost/contract';

/** Where an unknown tracker's identity goes in the form: the IMEI field, or the tracker ID field. */
export function reportedIdentity(said: string): { readonly imei: string; readonly trackerId: string } {
  const imei = imeiOfFourteen(said) ?? said;
  return said === '' || imeiSchema.safeParse(imei).success ? { imei, trackerId: '' } : { imei: '', trackerId: said };
}
