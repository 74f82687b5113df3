import { moment, text } from '../columns.ts';
import { defineReport, type ReportItem } from '../report.ts';
import { type Words, words } from '../words.ts';

interface SignIn extends ReportItem {
  readonly atMs: number;
  readonly action: string;
  readonly user: string | null;
  readonly address: string | null;
}

const ACTIONS: Readonly<Record<string, Words>> = {
  'session.opened': words('Signed in', 'Inició sesión', 'S’est connecté'),
  'session.refused': words('Failed to sign in', 'No pudo iniciar sesión', 'Échec de connexion'),
  'session.ended': words('Signed out', 'Cerró sesión', 'S’est déconnecté'),
};

/** Who signed in and out, and who failed to. */
export const signIns = defineReport<SignIn>({
  key: 'sign-ins',
  section: 'admin',
  title: words('Sign-ins', 'Inicios de sesión', 'Connexions'),
  text: words(
    'Who signed in and out, from which address, and who failed to',
    'Quién inició y cerró sesión, desde qué dirección, y quién no pudo',
    'Qui s’est connecté et déconnecté, depuis quelle adresse, et qui a échoué',
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
      title: words('What', 'Qué', 'Quoi'),
      type: 'text',
      of: ({ action }, { language }) => ACTIONS[action]?.[language] ?? action,
    },
    text('address', words('Address', 'Dirección', 'Adresse'), ({ address }) => address),
  ],
  read: async function* ({ calendar, from, session, sources, to }) {
    const rows = await sources.db.asAccount(session.accountId, trx =>
      trx
        .selectFrom('audit_entry')
        .select(['id', 'at', 'action', 'user_name', 'target_name', 'address'])
        .where('action', 'in', Object.keys(ACTIONS))
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
      // Who failed to sign in is nobody yet: the name is what was typed.
      user: row.user_name ?? row.target_name,
      address: row.address,
    }));
  },
});
