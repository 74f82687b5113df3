import {
  COMMAND_ACTIONS,
  type CommandAction,
  type CommandCategory,
  type CommandMode,
  commandKind,
  needsSecondPerson,
  type offerCommands,
  type RouteAnswer,
} from '@milepost/contract';

export type Offer = RouteAnswer<typeof offerCommands>;

/** How many others could confirm a command that needs a second person; null where it needs none. */
export function secondPeopleFor(
  action: CommandAction,
  mode: CommandMode | null,
  offer: Pick<Offer, 'secondPeople'> | undefined,
): number | null {
  return needsSecondPerson(action, mode) ? (offer?.secondPeople ?? null) : null;
}

/** A command that at least one of the vehicles' trackers has. */
export interface OfferedCommand {
  readonly action: CommandAction;
  readonly category: CommandCategory;
  /** How many of the vehicles have it. */
  readonly vehicles: number;
  /** In the maker's words; several makers, several words. */
  readonly makers: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  /** Modes that at least one tracker has. */
  readonly modes: readonly string[];
}

/** What an offer holds for, and for how many. */
export interface SharedOffer {
  readonly offer: Pick<Offer, 'actions'>;
  readonly vehicles: number;
}

/** The commands of all of them together, in the catalogue's order; a parameter is needed if any tracker needs it. */
export function mergeOffers(offers: readonly SharedOffer[]): readonly OfferedCommand[] {
  return COMMAND_ACTIONS.flatMap((action): OfferedCommand[] => {
    const having = offers.flatMap(({ offer, vehicles }) => {
      const found = offer.actions.find(one => one.action === action);
      return found ? [{ ...found, vehicles }] : [];
    });
    if (having.length === 0) return [];
    const parameters = new Map<string, boolean>();
    for (const { name, required } of having.flatMap(one => one.parameters)) {
      parameters.set(name, required || parameters.get(name) === true);
    }
    return [
      {
        action,
        category: commandKind(action).category,
        vehicles: having.reduce((sum, one) => sum + one.vehicles, 0),
        makers: [...new Set(having.map(({ maker }) => maker))],
        parameters: [...parameters].map(([name, required]) => ({ name, required })),
        modes: [...new Set(having.flatMap(({ modes }) => modes))],
      },
    ];
  });
}
