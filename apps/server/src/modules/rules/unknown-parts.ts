import { casesOf, isAboutOthers, type Rule, type RuleCase } from '@milepost/contract';
import { invalidField } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';

/** Parts of a rule that name something of the account; those left out name nothing. */
export type NamingParts = Partial<
  Pick<Rule, 'escalation' | 'geofenceIds' | 'trigger' | 'mailTo' | 'ownerId' | 'pushTo' | 'vehicles' | 'webhookIds'>
> & { readonly conditions?: (Partial<RuleCase> & { readonly or?: readonly Partial<RuleCase>[] }) | null };

/** Refuses what isn't in the account, field by field. */
export async function refuseUnknown(trx: AccountTransaction, named: NamingParts): Promise<void> {
  const { conditions, escalation, geofenceIds, mailTo, ownerId, pushTo, trigger, vehicles, webhookIds } = named;
  const areThere = async (
    table: 'geofence' | 'folder' | 'vehicle' | 'webhook' | 'driver' | 'department',
    ids: readonly string[],
  ): Promise<boolean> => {
    const unique = [...new Set(ids)].map(Number);
    if (unique.length === 0) return true;
    return (await trx.selectFrom(table).select('id').where('id', 'in', unique).execute()).length === unique.length;
  };
  if (geofenceIds && !(await areThere('geofence', geofenceIds))) throw invalidField('geofenceIds', 'unknown-geofence');
  const people = {
    mailTo,
    pushTo,
    ownerId: ownerId ? [ownerId] : null,
    'escalation.to': escalation?.to ?? null,
  };
  for (const [field, ids] of Object.entries(people)) {
    if (!ids || ids.length === 0) continue;
    const users = [...new Set(ids)];
    const known = await trx.selectFrom('app_user').select('id').where('id', 'in', users).execute();
    if (known.length < users.length) throw invalidField(field, 'unknown-user');
  }
  if (webhookIds && !(await areThere('webhook', webhookIds))) throw invalidField('webhookIds', 'unknown-webhook');
  if (trigger && isAboutOthers(trigger)) {
    if (!(await areThere('vehicle', trigger.otherIds))) throw invalidField('trigger.otherIds', 'unknown-vehicle');
    if (!(await areThere('folder', trigger.otherFolderIds))) throw invalidField('trigger.otherIds', 'unknown-folder');
  }
  for (const { drivers, places, vehicles: these } of casesOf(conditions)) {
    const named = [
      ['driver', drivers?.driverIds, 'unknown-driver'],
      ['department', drivers?.departmentIds, 'unknown-department'],
      ['geofence', places?.geofenceIds, 'unknown-geofence'],
      ['folder', these?.folderIds, 'unknown-folder'],
      ['vehicle', these?.deviceIds, 'unknown-vehicle'],
    ] as const;
    for (const [table, ids = [], problem] of named) {
      if (!(await areThere(table, ids))) throw invalidField('conditions', problem);
    }
  }
  if (!vehicles) return;
  if (!(await areThere('folder', vehicles.folderIds))) throw invalidField('vehicles', 'unknown-folder');
  if (!(await areThere('vehicle', vehicles.deviceIds))) throw invalidField('vehicles', 'unknown-vehicle');
}
