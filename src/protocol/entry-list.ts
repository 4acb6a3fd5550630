/** An entry of a list, as clients see it. */
export type ListedItem = Readonly<Record<string, unknown>>;

/** A registry, as far as a list needs it. */
export interface ListedRegistry<Entry> {
  list(): readonly Entry[];
  onChange(listener: () => void): () => void;
}

/** Items of a list, where the next ones begin, and whether there are any. */
export interface ListSlice {
  readonly items: readonly ListedItem[];
  readonly last: number;
  readonly isLast: boolean;
}

interface NumberedItem {
  /** Grows with every entry, and is never given again: a position in the list stays right when entries come and go. */
  readonly number: number;
  readonly item: ListedItem;
}

/** A list of a registry's entries, computed when the registry changes and not when a client asks. */
export class EntryList<Entry extends object> {
  #items: readonly NumberedItem[] = [];
  #numbers = 0;
  readonly #known = new WeakMap<Entry, NumberedItem>();

  /** `toItem` leaves out what does not belong to the list. */
  constructor(registry: ListedRegistry<Entry>, toItem: (entry: Entry) => ListedItem | undefined) {
    const compute = (): void => {
      this.#items = registry.list().flatMap((entry) => this.#known.get(entry) ?? this.#number(entry, toItem(entry)));
    };
    compute();
    registry.onChange(compute);
  }

  /** At most `count` items after the one with this number. */
  after(number: number, count: number): ListSlice {
    const rest = this.#items.filter((each) => each.number > number);
    const slice = rest.slice(0, count);
    return { items: slice.map(({ item }) => item), last: slice.at(-1)?.number ?? number, isLast: rest.length <= count };
  }

  #number(entry: Entry, item: ListedItem | undefined): readonly NumberedItem[] {
    if (item === undefined) return [];
    const numbered = { number: (this.#numbers += 1), item };
    this.#known.set(entry, numbered);
    return [numbered];
  }
}

/** Absent options stay absent, since strict clients refuse `undefined` and `null` alike. */
export function present(fields: Readonly<Record<string, unknown>>): ListedItem {
  return Object.freeze(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}
