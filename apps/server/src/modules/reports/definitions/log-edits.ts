import type { ShownRecord } from '@milepost/contract';
import { moment, text } from '../columns.ts';
import { LOG_GROUPINGS, type LogDayItem, logDayColumn, logDayItems, logDriverColumn } from '../log-items.ts';
import { defineReport } from '../report.ts';
import { type Words, words } from '../words.ts';

interface EditItem extends LogDayItem {
  readonly record: ShownRecord;
  readonly old: ShownRecord | null;
}

const BY_DRIVER = words('Changed by the driver', 'Cambiado por el conductor', 'Modifié par le conducteur');
const PROPOSED: Readonly<Record<ShownRecord['state'], Words>> = {
  active: words('Proposed, accepted', 'Propuesto, aceptado', 'Proposé, accepté'),
  'inactive-changed': words('Proposed, changed since', 'Propuesto, cambiado después', 'Proposé, modifié depuis'),
  'change-requested': words('Proposed, no answer yet', 'Propuesto, sin respuesta', 'Proposé, sans réponse'),
  'change-rejected': words('Proposed, rejected', 'Propuesto, rechazado', 'Proposé, refusé'),
  'change-withdrawn': words('Proposed, withdrawn', 'Propuesto, retirado', 'Proposé, retiré'),
};

/** What drivers changed in their logs, and what was proposed to them. */
export const logEdits = defineReport<EditItem>({
  key: 'log-edits',
  section: 'hours',
  title: words('Edits and proposals', 'Cambios y propuestas', 'Modifications et propositions'),
  text: words(
    'What drivers changed in their logs, what the office proposed, and why',
    'Lo que los conductores cambiaron, lo que propuso la oficina, y por qué',
    'Ce que les conducteurs ont modifié, ce que le bureau a proposé, et pourquoi',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: LOG_GROUPINGS,
  columns: [
    logDriverColumn,
    logDayColumn,
    {
      key: 'kind',
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ record }, { language }) => (record.origin === 'other-user' ? PROPOSED[record.state] : BY_DRIVER)[language],
    },
    moment('at', words('Time in the log', 'Hora en la bitácora', 'Heure dans le journal'), ({ record }) => record.at),
    text('before', words('Before', 'Antes', 'Avant'), ({ old }) => old?.status ?? null),
    text('after', words('After', 'Después', 'Après'), ({ record }) => record.status),
    text('reason', words('Reason', 'Motivo', 'Motif'), ({ record }) => record.note || null),
    text('by', words('By', 'Por', 'Par'), ({ record }) => record.by),
    moment('made', words('Made', 'Hecho', 'Fait'), ({ record }) => record.recordedAt),
  ],
  read: async function* (asked) {
    for await (const days of logDayItems(asked)) {
      const byId = new Map(days.flatMap(({ log }) => log.records.map(record => [record.id, record] as const)));
      yield days.flatMap(item =>
        item.log.records
          .filter(({ replaces, origin }) => replaces !== null || origin === 'other-user')
          .map(record => ({
            ...item,
            id: `${item.id}-${record.id}`,
            record,
            old: byId.get(record.replaces ?? '') ?? null,
          })),
      );
    }
  },
});
