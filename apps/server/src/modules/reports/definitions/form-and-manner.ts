import { LOG_GROUPINGS, type LogDayItem, logDayColumn, logDayItems, logDriverColumn } from '../log-items.ts';
import { defineReport } from '../report.ts';
import { type Words, words } from '../words.ts';

interface FormErrorItem extends LogDayItem {
  readonly code: string;
}

/** Days without a signature have a report of their own. */
const FOUND: Readonly<Record<string, Words>> = {
  'place-missing': words(
    'A change of duty status has no place',
    'Un cambio de estado no tiene lugar',
    'Un changement de statut n’a pas de lieu',
  ),
  'shipping-document-missing': words(
    'No shipping document number',
    'Sin número de documento de embarque',
    'Pas de numéro de document d’expédition',
  ),
  'note-missing': words(
    'Personal use or a yard move has no note',
    'El uso personal o un movimiento en patio no tiene nota',
    'Un usage personnel ou une manœuvre de cour n’a pas de note',
  ),
  'starts-later': words(
    'No records for the beginning of the day',
    'Sin registros del comienzo del día',
    'Aucun enregistrement pour le début du jour',
  ),
  'proposal-waiting': words(
    'A proposed change has no answer yet',
    'Un cambio propuesto aún no tiene respuesta',
    'Une modification proposée attend une réponse',
  ),
};

/** What a check of the form of logs finds. */
export const formAndManner = defineReport<FormErrorItem>({
  key: 'form-and-manner',
  section: 'hours',
  title: words('Form and manner errors', 'Errores de forma', 'Erreurs de forme'),
  text: words(
    'What is missing in drivers’ logs',
    'Lo que falta en las bitácoras de los conductores',
    'Ce qui manque dans les journaux des conducteurs',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: LOG_GROUPINGS,
  columns: [
    logDriverColumn,
    logDayColumn,
    {
      key: 'error',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ code }, { language }) => FOUND[code]?.[language] ?? code,
    },
  ],
  read: async function* (asked) {
    for await (const days of logDayItems(asked)) {
      yield days.flatMap(item =>
        item.log.formErrors
          .filter(({ code }) => Object.hasOwn(FOUND, code))
          .map(({ code }) => ({ ...item, id: `${item.id}-${code}`, code })),
      );
    }
  },
});
