import { imeiOfFourteen, imeiSchema } from '@milepost/contract';

/** The fields that what an unknown tracker calls itself belongs into: the IMEI's, or the one of its own number. */
export function saidIdentity(said: string): { readonly imei: string; readonly trackerId: string } {
  const imei = imeiOfFourteen(said) ?? said;
  return said === '' || imeiSchema.safeParse(imei).success ? { imei, trackerId: '' } : { imei: '', trackerId: said };
}
