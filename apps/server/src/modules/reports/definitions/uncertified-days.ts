import { count, moment } from '../columns.ts';
import { LOG_GROUPINGS, type LogDayItem, logDayColumn, logDayItems, logDriverColumn } from '../log-items.ts';
import { defineReport } from '../report.ts';
import { words } from '../words.ts';

const NEVER = words('Not certified', 'Sin certificar', 'Non certifié');
const CHANGED = words('Changed since', 'Cambió después', 'Modifié depuis');

/** Finished days that the driver has to certify. */
export const uncertifiedDays = defineReport<LogDayItem>({
  key: 'uncertified-days',
  section: 'hours',
  title: words('Uncertified days', 'Días sin certificar', 'Jours non certifiés'),
  text: words(
    'Finished days that the driver has not certified, or that changed since',
    'Días terminados que el conductor no certificó, o que cambiaron después',
    'Jours terminés que le conducteur n’a pas certifiés, ou modifiés depuis',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: LOG_GROUPINGS,
  columns: [
    logDriverColumn,
    logDayColumn,
    {
      key: 'state',
      title: words('State', 'Estado', 'État'),
      type: 'text',
      of: ({ log }, { language }) => (log.certification.changedSince ? CHANGED : NEVER)[language],
    },
    moment(
      'certified',
      words('Last certified', 'Última certificación', 'Dernière certification'),
      ({ log }) => log.certification.lastAt,
    ),
    count(
      'changes',
      words('Certifications', 'Certificaciones', 'Certifications'),
      ({ log }) => log.certification.count,
    ),
  ],
  read: async function* (asked) {
    for await (const days of logDayItems(asked)) {
      yield days.filter(({ log }) =>
        log.formErrors.some(({ code }) => code === 'not-certified' || code === 'changed-since'),
      );
    }
  },
});
