import { englishText, type ParamsArgument, type ProblemParams } from './problem-text.ts';

/**
 * Every problem the API can answer with: its HTTP status and its message for users of the API. RFC 9457 problem details
 * carry the code as `type` (`/problems/{code}`) and `params`, from which the web app builds its own message.
 */
export const PROBLEMS = {
  'not-signed-in': { status: 401, title: 'Sign in to continue.' },
  'session-ended': { status: 401, title: 'Your session has ended. Sign in again.' },
  'token-ended': { status: 401, title: 'This API token has ended or was deleted. Create a new one.' },
  'wrong-credentials': {
    status: 401,
    title: 'User name or password is incorrect. Check both, or reset your password.',
  },
  'second-factor-needed': { status: 401, title: 'Confirm it’s you with your second factor.' },
  'wrong-code': { status: 400, title: 'That code is incorrect. Enter the one shown now.' },
  'passkey-refused': { status: 400, title: 'That passkey can’t be used here. Try again, or sign in another way.' },
  'sign-on-only': {
    status: 403,
    title: 'Your organization signs in through its identity provider. Use that button instead.',
  },
  'sign-on-off': {
    status: 404,
    title: 'Single sign-on is not available here. Sign in with your password.',
  },
  'sign-on-elsewhere': {
    status: 409,
    title: 'Single sign-on works at a different address. Open {address} to sign in.',
  },
  'sign-on-over': {
    status: 400,
    title: 'This sign-in has expired, was used already, or was started in another browser. Start again.',
  },
  'sign-on-down': {
    status: 409,
    title: 'The identity provider can’t be reached. Try again in a few minutes.',
  },
  'sign-on-client': {
    status: 409,
    title:
      'The identity provider does not accept Milepost’s client ID or secret. Ask an owner to check them in the settings.',
  },
  'sign-on-canceled': {
    status: 400,
    title: 'The identity provider did not sign you in. Try again, or ask the person who manages your access there.',
  },
  'sign-on-untrusted': {
    status: 400,
    title: 'The identity provider’s answer couldn’t be verified. Start again. If it keeps happening, ask an owner.',
  },
  'sign-on-unverified': {
    status: 403,
    title: 'The identity provider has not verified your email address. Verify it there, then start again.',
  },
  'sign-on-domain': {
    status: 403,
    title: 'Your organization doesn’t allow email addresses from this domain.',
  },
  'sign-on-email-taken': {
    status: 409,
    title: 'A user with your email address exists already and is not connected with this sign-in. Ask an owner.',
  },
  'sign-on-unknown': {
    status: 403,
    title:
      'You don’t have a user here yet. Ask an owner to add you with the email address you use at the identity provider.',
  },
  'sign-on-no-role': {
    status: 403,
    title: 'None of your groups has a role here. Ask an owner, or the person who manages your groups.',
  },
  'sign-on-deactivated': {
    status: 403,
    title: 'Your access has ended. Ask an owner to reactivate your user.',
  },
  'sign-on-second-factor': {
    status: 403,
    title:
      'Your organization requires a second factor, and the identity provider did not ask you for one. Set one up there, then start again.',
  },
  'recovery-code-wrong': { status: 400, title: 'That code is incorrect or has expired. Request a new one.' },
  'wrong-password': { status: 400, title: 'Your current password is incorrect.' },
  'must-change-password': { status: 403, title: 'Choose your own password first.' },
  'must-set-up-second-factor': { status: 403, title: 'Set up a second factor first. Your organization requires one.' },
  'sign-in-needed': { status: 403, title: 'An API token can’t do this. Sign in to do it yourself.' },
  'too-many-tries': { status: 429, title: 'Too many attempts. Try again in {waitS}.' },
  'too-many-requests': { status: 429, title: 'Too many requests. Try again in {waitS}.' },
  'not-allowed': { status: 403, title: 'Your role does not allow this.' },
  'token-not-allowed': { status: 403, title: 'This API token or its user’s role does not allow this.' },
  'read-only': { status: 403, title: 'This is a read-only demo. Nothing was changed.' },
  'not-found': { status: 404, title: 'This does not exist, or you don’t have access to it.' },
  'invalid-input': { status: 400, title: 'Something in the request is incorrect.' },
  'unsupported-media-type': { status: 415, title: 'Send this request as {expected}.' },
  'payload-too-large': { status: 413, title: 'The request is larger than {limitBytes}.' },
  'answer-too-large': { status: 413, title: 'That’s too much for one answer. Ask for a shorter period.' },
  'too-many-calendars': { status: 409, title: 'You already have {max} calendars. Delete one first.' },
  'too-many-rows': { status: 413, title: 'The file has more than {limit} rows.' },
  'imei-taken': { status: 409, title: 'A vehicle with this IMEI already exists.' },
  'tracker-id-taken': { status: 409, title: 'Another vehicle has a tracker with this ID.' },
  'name-taken': { status: 409, title: 'Another vehicle is already called “{name}”.' },
  'folder-name-taken': { status: 409, title: 'A folder with this name already exists here.' },
  'department-name-taken': { status: 409, title: 'A department with this name already exists here.' },
  'inside-itself': { status: 409, title: 'It can’t be moved into itself or anything inside it.' },
  'too-deep': { status: 409, title: 'There can be at most {levels} levels.' },
  'card-taken': { status: 409, title: 'Another driver has this card.' },
  'licence-taken': { status: 409, title: 'Another driver has this license. If they were archived, restore them.' },
  'user-taken': { status: 409, title: 'This user is already linked to another driver.' },
  'user-name-taken': { status: 409, title: 'That user name is taken.' },
  'email-taken': { status: 409, title: 'Another user has this email address.' },
  'out-of-scope': {
    status: 403,
    title: 'You can see this but not change it. It is not in your folders or departments.',
  },
  'more-than-you-hold': { status: 403, title: 'You can only grant permissions you have yourself.' },
  'last-owner': { status: 409, title: 'An account needs an owner. Make another user an owner first.' },
  'that-is-you': { status: 409, title: 'This is you. Go to your profile to change it.' },
  'already-there': { status: 409, title: 'There is one already. Remove it first.' },
  'already-joined': {
    status: 409,
    title: 'This user has already joined. They can reset their password on the sign-in page.',
  },
  'owner-link-over': {
    status: 400,
    title: 'This link is no longer valid: an owner exists already, or the server has printed a newer link.',
  },
  'invitation-over': { status: 400, title: 'This invitation has been used or has expired. Ask for a new one.' },
  'email-link-over': {
    status: 400,
    title: 'This link has been used, has expired or was replaced. Request a new one in your profile.',
  },
  'nothing-to-confirm': { status: 409, title: 'There is no email address to confirm.' },
  'role-name-taken': { status: 409, title: 'A role with this name already exists.' },
  'role-in-use': { status: 409, title: 'Users with this role: {count}. Give them another role first.' },
  'not-an-image': {
    status: 400,
    title: 'Use a PNG, JPEG or WebP image up to {limitBytes} and {pixels} pixels wide or high.',
  },
  'host-name-taken': { status: 409, title: 'Another organization uses this host name.' },
  'file-not-accepted': { status: 422, title: 'Use a PDF, PNG or JPEG file up to {limitBytes}.' },
  'no-space': { status: 409, title: 'Documents can take up to {limitBytes} per account. Delete some first.' },
  'account-not-empty': {
    status: 409,
    title: 'This account has vehicles, drivers or folders. Import into an empty account.',
  },
  'import-broken': { status: 422, title: 'Line {line} of the file is incorrect. Nothing was imported.' },
  'export-open': { status: 409, title: 'An export is in progress. Wait for it, or cancel it.' },
  'import-open': { status: 409, title: 'An import is in progress. Wait for it, or cancel it.' },
  'disk-full': { status: 507, title: 'The server’s disk is almost full. Free up space, then export again.' },
  'import-has-errors': { status: 422, title: 'Rows with errors: {count}. Nothing was imported.' },
  'view-name-taken': { status: 409, title: 'A view with this name already exists.' },
  'too-many-views': { status: 409, title: 'There can be at most {limit} views. Delete one first.' },
  'geofence-name-taken': { status: 409, title: 'A geofence with this name already exists.' },
  'too-many-geofences': { status: 409, title: 'There can be at most {limit} geofences. Delete some first.' },
  'rule-name-taken': { status: 409, title: 'A rule with this name already exists.' },
  'too-many-rules': { status: 409, title: 'There can be at most {limit} rules. Delete one first.' },
  'geofence-group-name-taken': { status: 409, title: 'A group with this name already exists.' },
  'too-many-geofence-groups': { status: 409, title: 'There can be at most {limit} groups. Delete one first.' },
  'report-runs-open': { status: 409, title: '{limit} of your reports are in progress. Wait for one, or cancel one.' },
  'evidence-too-much': {
    status: 409,
    title: 'An evidence pack can have up to {limit} positions. Choose fewer vehicles or a shorter time.',
  },
  'too-many-schedules': { status: 409, title: 'You have {limit} schedules. End one before you add another.' },
  'too-many-webhooks': { status: 409, title: 'There can be at most {limit} webhooks. Delete one first.' },
  'webhook-name-taken': { status: 409, title: 'A webhook with this name already exists.' },
  'too-many-push-subscriptions': { status: 409, title: 'There can be at most {limit} browsers. Remove one first.' },
  'webhook-needs-address': {
    status: 409,
    title: 'Enter this webhook’s address again. The import included only the host name.',
  },
  'alert-needs-note': { status: 409, title: 'This alert needs a note. Say what was done about it.' },
  'webhook-off': { status: 409, title: 'This webhook is off. Turn it on first.' },
  'range-too-long': { status: 400, title: 'Choose at most {days} days at a time.' },
  'command-not-offered': { status: 409, title: 'The tracker in {vehicle} does not support this command.' },
  'command-too-soon': { status: 429, title: 'This was sent {agoS} ago. Wait for the answer.' },
  'command-gone': { status: 409, title: 'The command has already been sent and can’t be recalled.' },
  'command-decided': { status: 409, title: 'This command is no longer waiting for confirmation.' },
  'second-person-is-you': { status: 403, title: 'You requested this yourself. Someone else has to confirm it.' },
  'no-second-person': { status: 409, title: 'No one else with access to {vehicle} can confirm this.' },
  'grant-needed': { status: 403, title: 'Enter the control password first.' },
  'grant-refused': {
    status: 403,
    title: 'This confirmation has been used, has expired or was for something else.',
  },
  'map-file-wrong': { status: 422, title: 'This file is not a street map that Milepost can draw.' },
  'map-file-in-use': { status: 409, title: 'This file is the current map. Choose another map first.' },
  'backup-refused': { status: 409, title: 'The backup can’t be stored there. {reason}' },
  'map-from-environment': { status: 409, title: 'MAP_STYLE_URL or MAP_TILE_URL sets the map. Unset them first.' },
  'no-room': {
    status: 507,
    title: 'This takes {neededBytes}, and the server’s disk has room for {freeBytes} only. Free up space first.',
  },
  'interlock-fails': { status: 409, title: '{vehicle} is not safely stopped. Arm the command for the next safe stop.' },
  'control-password-wrong': {
    status: 400,
    title: 'Control password is incorrect. Attempts left before controls lock: {left}.',
  },
  'control-password-missing': { status: 409, title: 'No control password has been set yet.' },
  'control-password-is-own': { status: 400, title: 'Choose a different password than the one you sign in with.' },
  'controls-locked': { status: 429, title: 'Controls are locked after wrong passwords. Try again in {waitS}.' },
  'no-log': { status: 409, title: 'Only drivers who keep a log here can do this.' },
  'asked-today': { status: 409, title: 'This driver was already asked today. Ask again tomorrow.' },
  'log-broken': {
    status: 409,
    title:
      'This log has conflicting entries, so nothing more is written to it. The person who runs the server has to repair it. Until then, everything trackers and phones send is saved.',
  },
  'log-refused': { status: 409, title: 'The log didn’t accept this: {reason}' },
  'output-file-impossible': { status: 409, title: 'No output file can be made of this log: {reason}' },
  'too-many-tasks': { status: 409, title: 'There can be at most {limit} open tasks.' },
  'task-over': { status: 409, title: 'This task is over. Create a new one.' },
  'task-under-way': { status: 409, title: 'A driver has this task. Cancel it first.' },
  'task-step': { status: 409, title: 'This task has changed meanwhile. Check it and try again.' },
  'task-proof-missing': { status: 409, title: 'Add what this task asks for first: a photo or a signature.' },
  'too-many-phones': { status: 409, title: 'You can enroll up to {limit} phones. End one first.' },
  'too-many-photos': { status: 409, title: 'No more than {limit} photos can be added.' },
  'private-drive-off': { status: 409, title: 'Your organization doesn’t allow private drives.' },
  'no-vehicle-now': { status: 409, title: 'You aren’t in a vehicle right now.' },
  'private-time-with-log': {
    status: 409,
    title: 'This vehicle has a driver’s log, so only personal use is private time.',
  },
  'no-demo': { status: 404, title: 'There is no demo here.' },
  'share-over': { status: 404, title: 'This link has ended or never existed.' },
  'share-ended': { status: 409, title: 'This link has ended for good. Create a new one.' },
  'server-full': {
    status: 503,
    title: 'The server’s disk is full, so nothing was saved. Try again once there is room.',
  },
  'database-unreachable': { status: 503, title: 'The database does not respond. Try again in a moment.' },
  'database-busy': { status: 503, title: 'The database is busy. Try again in a moment.' },
  'web-app-missing': { status: 503, title: 'The web app has not been built.' },
  internal: {
    status: 500,
    title: 'Something went wrong on our side. Try again. If it keeps happening, report the request ID.',
  },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The message of a problem, with its params filled in. */
export function problemTitle<C extends ProblemCode>(code: C, ...args: ParamsArgument<TitleOf<C>>): string {
  const [params = {}] = args as [ProblemParams?];
  return englishText(PROBLEMS[code].title, params);
}

export type TitleOf<C extends ProblemCode> = (typeof PROBLEMS)[C]['title'];
