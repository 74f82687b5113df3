import { sql } from 'kysely';
import { moment, text, vehicleColumn } from '../columns.ts';
import { commandStateWords, commandWords } from '../known-words.ts';
import { defineReport, type ReportItem, VEHICLE_GROUPINGS } from '../report.ts';
import { words } from '../words.ts';

interface Sent extends ReportItem {
  readonly atMs: number;
  readonly action: string;
  readonly state: string;
  readonly by: string;
  readonly second: string | null;
  readonly reason: string | null;
}

/** Every command, who asked for it, and what came of it. */
export const commandsSent = defineReport<Sent>({
  key: 'commands-sent',
  section: 'admin',
  title: words('Commands sent', 'Comandos enviados', 'Commandes envoyées'),
  text: words(
    'Every command, who sent it, why, and what came of it',
    'Cada comando, quién lo envió, por qué y con qué resultado',
    'Chaque commande, qui l’a envoyée, pourquoi et avec quel résultat',
  ),
  needs: 'commands.read',
  isOfPositions: false,
  groupings: VEHICLE_GROUPINGS,
  opensBy: null,
  columns: [
    vehicleColumn,
    moment('at', words('Sent', 'Enviado', 'Envoyée'), ({ atMs }) => atMs),
    {
      key: 'command',
      title: words('Command', 'Comando', 'Commande'),
      type: 'text',
      of: ({ action }, { language }) => commandWords(action, language) ?? action,
    },
    {
      key: 'state',
      title: words('State', 'Estado', 'État'),
      type: 'text',
      of: ({ state }, { language }) => commandStateWords(state, language) ?? state,
    },
    text('by', words('Sent by', 'Enviado por', 'Envoyée par'), ({ by }) => by),
    text('second', words('Second person', 'Segunda persona', 'Deuxième personne'), ({ second }) => second),
    text('reason', words('Reason', 'Motivo', 'Motif'), ({ reason }) => reason),
  ],
  read: async function* ({ calendar, from, session, sources, to, vehicles }) {
    const byId = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
    const rows = await sources.db.asAccount(session.accountId, trx =>
      trx
        .selectFrom('command')
        .select(['id', 'vehicle_id', 'action', 'state', 'created_at', 'created_by_name', 'second_by_name', 'reason'])
        .where(sql<boolean>`vehicle_id = any (${[...byId.keys()]}::int4[])`)
        .where('created_at', '>=', new Date(calendar.startOf(from)))
        .where('created_at', '<', new Date(calendar.startOf(to + 1)))
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    );
    yield rows.map(row => ({
      id: row.id,
      vehicle: byId.get(row.vehicle_id) ?? null,
      day: calendar.dayOf(row.created_at.getTime()),
      atMs: row.created_at.getTime(),
      action: row.action,
      state: row.state,
      by: row.created_by_name,
      second: row.second_by_name,
      reason: row.reason,
    }));
  },
});
