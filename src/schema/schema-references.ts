/** A place where a schema stands, with its JSON pointer. */
export interface SchemaNode {
  readonly schema: Record<string, unknown>;
  readonly pointer: string;
}

/**
 * Resolves the references of a schema inside the schema itself. Nothing is ever fetched: a reference that leads elsewhere, to the
 * network or to a file, is a fault.
 */
export class ReferenceIndex {
  private readonly root: string;
  private readonly pointers = new Set<string>();
  private readonly targets = new Set<string>();

  constructor(
    private readonly schema: Record<string, unknown>,
    private readonly places: readonly SchemaNode[],
  ) {
    this.root = typeof schema.$id === 'string' ? schema.$id : '';
    for (const { pointer, schema: node } of places) {
      this.pointers.add(pointer);
      if (typeof node.$id === 'string') this.targets.add(resolve(node.$id, this.root));
      for (const anchor of [node.$anchor, node.$dynamicAnchor]) if (typeof anchor === 'string') this.targets.add(`#${anchor}`);
    }
  }

  /** One text for each reference that leads nowhere or out. */
  faults(): readonly string[] {
    const faults: string[] = [];
    for (const { pointer, schema } of this.places) {
      for (const keyword of ['$ref', '$dynamicRef']) {
        const reference = schema[keyword];
        if (typeof reference !== 'string') continue;
        const text = `${pointer}/${keyword}: "${reference}"`;
        if (!this.isLocal(reference)) faults.push(`${text} leads out of the schema`);
        else if (!this.exists(reference)) faults.push(`${text} leads nowhere`);
      }
    }
    return faults;
  }

  private isLocal(reference: string): boolean {
    const [document = ''] = reference.split('#');
    return document === '' || resolve(document, this.root) === this.root || this.targets.has(resolve(document, this.root));
  }

  private exists(reference: string): boolean {
    const [document = '', fragment = ''] = reference.split('#');
    // Inside a schema with an "$id" of its own a pointer starts there; AJV resolves it at the first call.
    if (document !== '' && resolve(document, this.root) !== this.root) return true;
    if (fragment === '') return true;
    if (!fragment.startsWith('/')) return this.targets.has(`#${fragment}`);
    return (
      this.pointers.has(`#${decode(fragment)}`) ||
      this.places.some(({ schema, pointer }) => pointer !== '#' && typeof schema.$id === 'string')
    );
  }
}

function resolve(reference: string, base: string): string {
  const bare = reference.replace(/#$/, '');
  return URL.canParse(bare, base === '' ? undefined : base) ? new URL(bare, base === '' ? undefined : base).href : bare;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
