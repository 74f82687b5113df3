/** A push message of the server (`apps/server/src/modules/push/push.ts`) as a notification. */
export interface Shown {
  readonly title: string;
  readonly options: {
    readonly body: string;
    /** The same alert is shown once. */
    readonly tag?: string;
    readonly icon: string;
    /** Where a click leads, within the app. */
    readonly data: { readonly path: string };
  };
}

const ALERTS = '/alerts';

/** Browsers require that each message shows something, so one that can't be read does, too. */
export function shownFor(text: string | null): Shown {
  const { body, path, tag, title } = fieldsOf(text);
  const isOwnPath = path !== undefined && /^\/[^/\\]/.test(path);
  return {
    title: title ?? 'Milepost',
    options: {
      body: body ?? '',
      ...(tag !== undefined && { tag }),
      icon: '/icons/icon-192.png',
      data: { path: isOwnPath ? path : ALERTS },
    },
  };
}

type Fields = Partial<Record<'title' | 'body' | 'tag' | 'path', string>>;

function fieldsOf(text: string | null): Fields {
  try {
    const read: unknown = JSON.parse(text ?? '');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}
