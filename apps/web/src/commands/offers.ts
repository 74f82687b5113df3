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

/** The number of other users who could confirm a command; null if it needs no second person. */
export function secondPeopleFor(
  action: CommandAction,
  mode: CommandMode | null,
  offer: Pick<Offer, 'secondPeople'> | undefined,
): number | null {
  return needsSecondPerson(action, mode) ? (offer?.secondPeople ?? null) : null;
}

/** A command that at least one of the vehicles' trackers supports. */
export interface OfferedCommand {
  readonly action: CommandAction;
  readonly category: CommandCategory;
  /** The number of vehicles that support it. */
  readonly vehicles: number;
  /** The makers' names for it. */
  readonly makers: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  /** Modes that at least one tracker supports. */
  readonly modes: readonly string[];
}

/** An offer and the number of vehicles it applies to. */
export interface SharedOffer {
  readonly offer: Pick<Offer, 'actions'>;
  readonly vehicles: number;
}

/** The commands of all offers together, in the catalog's order. A parameter is required if any tracker requires it. */
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
