import type { LogDay } from '@milepost/contract';
import { duration, moment, text } from '../columns.ts';
import { hosRuleWords } from '../known-words.ts';
import { LOG_GROUPINGS, type LogDayItem, logDayColumn, logDayItems, logDriverColumn } from '../log-items.ts';
import { defineReport } from '../report.ts';
import { type Words, words } from '../words.ts';

/** One that lasts over midnight is on the days of both: it counts where it began. */
export const violationsBegun = ({ from, to, violations }: LogDay): LogDay['violations'] =>
  violations.filter(violation => violation.from >= from && violation.from < to);

interface ViolationItem extends LogDayItem {
  readonly violation: LogDay['violations'][number];
}

const SEVERITIES: Readonly<Record<string, Words>> = {
  nominal: words('Under 15 minutes', 'Menos de 15 minutos', 'Moins de 15 minutes'),
  violation: words('15 minutes or more', '15 minutos o más', '15 minutes ou plus'),
  egregious: words('Over 3 hours', 'Más de 3 horas', 'Plus de 3 heures'),
};

/** Driving past the limits of the hours-of-service rules. */
export const hoursViolations = defineReport<ViolationItem>({
  key: 'hours-violations',
  section: 'hours',
  title: words('Hours-of-service violations', 'Infracciones de horas de servicio', 'Infractions aux heures de service'),
  text: words(
    'When drivers drove past a limit, by how much, and which clause says so',
    'Cuándo los conductores superaron un límite, por cuánto, y qué cláusula lo dice',
    'Quand des conducteurs ont dépassé une limite, de combien, et selon quelle clause',
  ),
  needs: 'logbook.read',
  isOfPositions: false,
  groupings: LOG_GROUPINGS,
  columns: [
    logDriverColumn,
    logDayColumn,
    {
      key: 'rule',
      title: words('Rule', 'Regla', 'Règle'),
      type: 'text',
      of: ({ violation }, { language }) => hosRuleWords(violation.rule, language),
    },
    text('clause', words('Clause', 'Cláusula', 'Article'), ({ violation }) => violation.clause),
    moment('start', words('Start', 'Inicio', 'Début'), ({ violation }) => violation.from),
    moment('end', words('End', 'Fin', 'Fin'), ({ violation }) => violation.to),
    duration(
      'over',
      words('Over the limit', 'Sobre el límite', 'Au-delà de la limite'),
      ({ violation }) => violation.overS,
    ),
    {
      key: 'severity',
      title: words('Severity', 'Gravedad', 'Gravité'),
      type: 'text',
      of: ({ violation }, { language }) => SEVERITIES[violation.severity]?.[language] ?? violation.severity,
    },
  ],
  read: async function* (asked) {
    for await (const days of logDayItems(asked)) {
      yield days.flatMap(item =>
        violationsBegun(item.log).map(violation => ({
          ...item,
          id: `${item.id}-${violation.rule}-${violation.from}`,
          violation,
        })),
      );
    }
  },
});
