import 'reflect-metadata';
import type { GraphSpec, Hook } from './graph-spec';
import { makeGraph, RECORD, recordOf, type Framework, type HookEvent, type MadeGraph, type Record_ } from './make-graph';
import { declaredScope, placesOf } from './read-spec';

/** Why a graph was refused, or an instance not given, in words that both sides share. */
export type Kind =
  | 'unknown dependency'
  | 'undefined dependency'
  | 'circle'
  | 'unknown export'
  | 'undefined entry'
  | 'not a module'
  | 'not a provider'
  | 'scoped'
  | 'unknown'
  | 'captive'
  | 'duplicate'
  | 'failed'
  | 'never ends'
  | (string & {});

/** One side, booted or about to be. */
export interface Driver {
  readonly framework: Framework;
  create(root: unknown): Promise<void>;
  init(): Promise<void>;
  close(signal: string): Promise<void>;
  get(module: unknown, token: unknown): unknown;
  /** A new instance of a transient provider. */
  resolve(module: unknown, token: unknown): Promise<unknown>;
  openOperation(context: object): Operation;
  kindsOf(error: unknown): readonly Kind[];
}

export interface Operation {
  resolve(module: unknown, token: unknown): Promise<unknown>;
  end(): Promise<void>;
}

/** Everything that can be seen of a graph from outside. Instances are numbered in the order in which they are met. */
export interface Observation {
  /** Empty for a graph that was booted. */
  readonly refused: readonly Kind[];
  readonly initFailed: readonly Kind[];
  /** By module and token: `#n`, or why there is none. */
  readonly places: Readonly<Record<string, string>>;
  /** How many of `instances` were met before the first operation. */
  readonly atBoot: number;
  /** By number: what it is and what it was given. */
  readonly instances: readonly InstanceView[];
  /** The hooks from the first init to the end of the first close. */
  readonly events: readonly EventView[];
  /** The hooks that ran because an operation ended. */
  readonly operationEvents: readonly EventView[];
  /** The hooks of a second close. */
  readonly secondClose: readonly EventView[];
}

export interface InstanceView {
  readonly label: string;
  readonly tokens: readonly string[];
  readonly args: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly forward: readonly boolean[];
  readonly isTransient: boolean;
}

export interface EventView {
  readonly hook: Hook;
  readonly phase: '>' | '<';
  readonly instance: string;
  readonly args: readonly unknown[];
}

/** What is seen of a graph that is refused. */
export function refusal(refused: readonly Kind[]): Observation {
  return { refused, initFailed: [], places: {}, atBoot: 0, instances: [], events: [], operationEvents: [], secondClose: [] };
}

const HANG_MS = 3_000;

export async function observe(spec: GraphSpec, driver: Driver): Promise<Observation> {
  const graph = makeGraph(spec, driver.framework);
  try {
    await inTime(driver.create(graph.root));
  } catch (error) {
    return refusal(driver.kindsOf(error));
  }
  return new Observer(spec, driver, graph).observe();
}

class Observer {
  readonly #numbers = new Map<object, number>();
  readonly #views: InstanceView[] = [];
  readonly #places: Record<string, string> = {};

  constructor(
    private readonly spec: GraphSpec,
    private readonly driver: Driver,
    private readonly graph: MadeGraph,
  ) {}

  async observe(): Promise<Observation> {
    const { driver, graph } = this;
    await this.#look('', async (module, token) => driver.get(module, token));
    const atBoot = this.#views.length;
    const initFailed = await driver.init().then(
      () => [],
      (error: unknown) => driver.kindsOf(error),
    );
    const started = graph.events.splice(0);
    const operationEvents = initFailed.length > 0 ? [] : await this.#operate();
    await driver.close('SIGTERM');
    const events = [...started, ...graph.events.splice(0)];
    await driver.close('SIGTERM');
    const secondClose = graph.events.splice(0);
    return {
      refused: [],
      initFailed,
      places: this.#places,
      atBoot,
      events: this.#viewEvents(events),
      operationEvents: this.#viewEvents(operationEvents),
      secondClose: this.#viewEvents(secondClose),
      instances: this.#views,
    };
  }

  /** Two operations, of which the second must share nothing of request scope with the first, and a transient instance each. */
  async #operate(): Promise<HookEvent[]> {
    for (const id of ['operation 1', 'operation 2']) {
      const operation = this.driver.openOperation({ [RECORD]: recordOf(id, {}) });
      await this.#look(`${id}: `, (module, token) => operation.resolve(module, token), this.#isOfOperation);
      await operation.end();
    }
    await this.#look('new: ', (module, token) => this.driver.resolve(module, token), this.#isTransient);
    return this.graph.events.splice(0);
  }

  async #look(
    prefix: string,
    find: (module: unknown, token: unknown) => Promise<unknown>,
    only?: (place: string) => boolean,
  ): Promise<void> {
    for (const { module, token } of placesOf(this.spec)) {
      const place = `M${module}/${token}`;
      if (only?.(place) === false) continue;
      try {
        this.#places[prefix + place] = this.#view(await inTime(find(this.graph.modules[module], this.graph.token(token))));
      } catch (error) {
        this.#places[prefix + place] = this.driver.kindsOf(error).join();
      }
    }
  }

  /** True for a place that gave no singleton and is not transient by itself: it lives for one operation. */
  readonly #isOfOperation = (place: string): boolean => this.#places[place] === 'scoped' && declaredScope(this.spec, place) !== 'TRANSIENT';
  readonly #isTransient = (place: string): boolean => this.#places[place] === 'scoped' && declaredScope(this.spec, place) === 'TRANSIENT';

  #view(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(value);
    const known = this.#numbers.get(value);
    if (known !== undefined) return `#${known}`;
    const record = (value as { readonly [RECORD]?: Record_ })[RECORD];
    if (record === undefined) return `a bare ${value.constructor.name}`;
    const number = this.#views.length;
    this.#numbers.set(value, number);
    const view = { ...record, args: [] as string[], properties: {} as Record<string, string> };
    this.#views.push(view);
    view.args.push(...record.args.map((each) => this.#view(each)));
    for (const property of record.properties) view.properties[property] = this.#view((value as Record<string, unknown>)[property]);
    return `#${number}`;
  }

  #viewEvents(events: readonly HookEvent[]): readonly EventView[] {
    return events.map(({ hook, phase, instance, args }) => ({ hook, phase, args, instance: this.#view(instance) }));
  }
}

function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NeverEndsError()), HANG_MS);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/** A boot that hangs. */
export class NeverEndsError extends Error {}
