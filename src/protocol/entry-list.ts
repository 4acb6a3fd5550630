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

interface NumberedItem<Entry> {
  readonly entry: Entry;
  /** Grows with every entry, and is never given again: a position in the list stays right when entries come and go. */
  readonly number: number;
  readonly item: ListedItem;
}

/** A list of a registry's entries, computed when the registry changes and not when a client asks. */
export class EntryList<Entry extends object> {
  #items: readonly NumberedItem<Entry>[] = [];
  #numbers = 0;
  #dependence: { readonly items: readonly NumberedItem<Entry>[]; readonly version: number; readonly depends: boolean } | undefined;
  readonly #known = new WeakMap<Entry, NumberedItem<Entry>>();

  /** `toItem` leaves out what does not belong to the list. */
  constructor(registry: ListedRegistry<Entry>, toItem: (entry: Entry) => ListedItem | undefined) {
    const compute = (): void => {
      this.#items = registry.list().flatMap((entry) => this.#known.get(entry) ?? this.#number(entry, toItem(entry)));
    };
    compute();
    registry.onChange(compute);
  }

  /** True when one of the entries makes the list depend on who asks. Decided again when the list or `version` changes. */
  dependsOnCaller(isHidable: (entry: Entry) => boolean, version: number): boolean {
    const known = this.#dependence;
    if (known?.items === this.#items && known.version === version) return known.depends;
    const depends = this.#items.some(({ entry }) => isHidable(entry));
    this.#dependence = { items: this.#items, version, depends };
    return depends;
  }

  /** At most `count` items after the one with this number. */
  after(number: number, count: number): ListSlice {
    const rest = this.#items.filter((each) => each.number > number);
    return toSlice(rest.slice(0, count), number, rest.length <= count);
  }

  /** The same among the entries that `areVisible` lets through. Asks about no more than it has to. */
  async visibleAfter(number: number, count: number, areVisible: AreVisible<Entry>): Promise<ListSlice> {
    const rest = this.#items.filter((each) => each.number > number);
    const kept: NumberedItem<Entry>[] = [];
    for (let start = 0; start < rest.length && kept.length <= count; start += count) {
      const chunk = rest.slice(start, start + count);
      const visible = await areVisible(chunk.map(({ entry }) => entry));
      kept.push(...chunk.filter((_each, index) => visible[index] === true));
    }
    return toSlice(kept.slice(0, count), number, kept.length <= count);
  }

  #number(entry: Entry, item: ListedItem | undefined): readonly NumberedItem<Entry>[] {
    if (item === undefined) return [];
    const numbered = { entry, number: (this.#numbers += 1), item };
    this.#known.set(entry, numbered);
    return [numbered];
  }
}

/** Says of each of these entries whether the caller may know of it. */
export type AreVisible<Entry> = (entries: readonly Entry[]) => Promise<readonly boolean[]>;

function toSlice(items: readonly NumberedItem<unknown>[], from: number, isLast: boolean): ListSlice {
  return { items: items.map(({ item }) => item), last: items.at(-1)?.number ?? from, isLast };
}

/** Absent options stay absent, since strict clients refuse `undefined` and `null` alike. */
export function present(fields: Readonly<Record<string, unknown>>): ListedItem {
  return Object.freeze(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
}
