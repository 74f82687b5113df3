import type { AUDIT_VIA } from '@milepost/contract';
import { moment, text } from '../columns.ts';
import { auditWords } from '../known-words.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { type Words, words } from '../words.ts';

interface Entry extends ReportItem {
  readonly atMs: number;
  readonly action: string;
  readonly user: string | null;
  readonly target: string | null;
  readonly via: string;
  readonly address: string | null;
}

const VIA: Readonly<Record<string, Words>> = {
  session: words('App', 'Aplicación', 'Application'),
  'api-token': words('API token', 'Token de API', 'Jeton d’API'),
  'sign-in': words('Sign-in', 'Inicio de sesión', 'Connexion'),
  system: words('Milepost', 'Milepost', 'Milepost'),
} satisfies Record<(typeof AUDIT_VIA)[number], Words>;

/** Everything that was changed, by whom. Its actions have the names that the audit log's export has. */
export const auditLog = defineReport<Entry>({
  key: 'audit',
  section: 'admin',
  title: words('Audit log', 'Registro de auditoría', 'Journal d’audit'),
  text: words(
    'Every change, who made it, and from which address',
    'Cada cambio, quién lo hizo y desde qué dirección',
    'Chaque modification, qui l’a faite et depuis quelle adresse',
  ),
  needs: 'audit.read',
  isOfPositions: false,
  groupings: ['day', 'week', 'month'],
  opensBy: null,
  columns: [
    moment('at', words('Time', 'Hora', 'Heure'), ({ atMs }) => atMs),
    text('user', words('User', 'Usuario', 'Utilisateur'), ({ user }) => user),
    {
      key: 'action',
      title: words('Action', 'Acción', 'Action'),
      type: 'text',
      of: ({ action, target }, { language }) => {
        const did = auditWords(action, target, language);
        return `${did.slice(0, 1).toLocaleUpperCase(language)}${did.slice(1)}`;
      },
    },
    text('target', words('About', 'Sobre', 'Objet'), ({ target }) => target),
    {
      key: 'via',
      title: words('Through', 'Mediante', 'Par'),
      type: 'text',
      of: ({ via }, { language }) => VIA[via]?.[language] ?? via,
    },
    text('address', words('Address', 'Dirección', 'Adresse'), ({ address }) => address),
  ],
  read: async function* ({ calendar, from, session, sources, to }) {
    const rows = await sources.db.asAccount(session.accountId, trx =>
      trx
        .selectFrom('audit_entry')
        .select(['id', 'at', 'action', 'user_name', 'target_name', 'via', 'address'])
        .where('at', '>=', new Date(calendar.startOf(from)))
        .where('at', '<', new Date(calendar.startOf(to + 1)))
        .orderBy('at')
        .orderBy('id')
        .execute(),
    );
    yield rows.map(row => ({
      id: row.id,
      vehicle: null,
      day: calendar.dayOf(row.at.getTime()),
      atMs: row.at.getTime(),
      action: row.action,
      user: row.user_name,
      target: row.target_name,
      via: row.via,
      address: row.address,
    }));
  },
});
