/** The notification to show for a push message from the server (`apps/server/src/modules/push/push.ts`). */
export interface Shown {
  readonly title: string;
  readonly options: {
    readonly body: string;
    /** Another notification for the same alert replaces the first. */
    readonly tag?: string;
    readonly icon: string;
    /** Where a click leads in the app. */
    readonly data: { readonly path: string };
  };
}

const ALERTS = '/alerts';

/** Browsers require every push message to show a notification, so an unreadable one shows a generic one. */
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
