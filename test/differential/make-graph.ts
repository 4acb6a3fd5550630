import {
  dependencyOf,
  HOOKS,
  type ClassSpec,
  type DependencySpec,
  type ExportSpec,
  type GraphSpec,
  type Hook,
  type ImportSpec,
  type ModuleSpec,
  type ProviderSpec,
  type ScopeName,
} from './graph-spec';

type Class = new (...args: any[]) => object;
type Decorator = (target: any, property?: any, index?: any) => void;

/** The decorators and tokens of one side. */
export interface Framework {
  readonly Module: (metadata: any) => Decorator;
  readonly Global: () => Decorator;
  readonly Injectable: (options: any) => Decorator;
  readonly Inject: (token: any) => Decorator;
  readonly Optional: () => Decorator;
  readonly Handler: (name: string) => Decorator;
  readonly forwardRef: (reference: () => unknown) => unknown;
  readonly scopes: Readonly<Record<ScopeName, unknown>>;
  /** Those of the framework: `@inquirer`, `@operation`. */
  readonly tokens: Readonly<Record<string, unknown>>;
}

/** What an instance remembers. It is a property, because both sides may copy an instance into one that was handed out before. */
export interface Record_ {
  readonly label: string;
  readonly args: readonly unknown[];
  readonly tokens: readonly string[];
  readonly properties: readonly string[];
  /** Whether each of `args`, and each of `properties`, is asked for through `forwardRef()`. */
  readonly forward: readonly boolean[];
  readonly isTransient: boolean;
}

export const RECORD = Symbol.for('differential:record');

export interface HookEvent {
  readonly hook: Hook;
  readonly phase: '>' | '<';
  readonly instance: object;
  readonly args: readonly unknown[];
}

/** The classes of a graph, ready to be booted. */
export interface MadeGraph {
  readonly root: unknown;
  /** The class or the dynamic module object, by position. */
  readonly modules: readonly unknown[];
  readonly events: HookEvent[];
  token(name: string): unknown;
}

export function makeGraph(spec: GraphSpec, framework: Framework): MadeGraph {
  return new GraphMaker(spec, framework).make();
}

class GraphMaker {
  readonly #events: HookEvent[] = [];
  readonly #classes = new Map<string, Class>();
  readonly #symbols = new Map<string, symbol>();
  readonly #values = new Map<string, object>();
  readonly #moduleClasses: Class[] = [];
  #modules: readonly unknown[] = [];

  constructor(
    private readonly spec: GraphSpec,
    private readonly framework: Framework,
  ) {}

  make(): MadeGraph {
    const { modules } = this.spec;
    for (const [name, each] of Object.entries(this.spec.classes ?? {})) this.#classes.set(name, this.#class(name, each));
    for (const [index, each] of modules.entries()) {
      this.#moduleClasses.push(
        typeof each.dynamic === 'number' ? (this.#moduleClasses[each.dynamic] as Class) : this.#class(`M${index}`, each.itself ?? {}),
      );
    }
    this.#modules = modules.map((each, index) =>
      each.dynamic === undefined ? this.#moduleClasses[index] : { module: this.#moduleClasses[index] },
    );
    for (const [name, each] of Object.entries(this.spec.classes ?? {})) this.#decorate(this.#classes.get(name) as Class, each);
    for (const [index, each] of modules.entries()) this.#defineModule(index, each);
    return { root: this.#modules[0], modules: this.#modules, events: this.#events, token: (name) => this.#token(name) };
  }

  #defineModule(index: number, spec: ModuleSpec): void {
    const type = this.#moduleClasses[index] as Class;
    const metadata = {
      imports: (spec.imports ?? []).map((each) => this.#import(each)),
      providers: (spec.providers ?? []).map((each) => this.#provider(index, each)),
      exports: (spec.exports ?? []).map((each) => this.#export(each)),
    };
    if (typeof spec.dynamic !== 'number') this.#ask(type, spec.itself ?? {});
    if (spec.dynamic === undefined) {
      this.framework.Module(metadata)(type);
      if (spec.isGlobal === true) this.framework.Global()(type);
      return;
    }
    const { imports, ...others } = metadata;
    if (spec.dynamic === true) this.framework.Module(spec.importsInClass === true ? { imports } : {})(type);
    Object.assign(
      this.#modules[index] as object,
      spec.importsInClass === true ? others : metadata,
      spec.isGlobal === undefined ? {} : { global: spec.isGlobal },
    );
  }

  #import(spec: ImportSpec): unknown {
    if (typeof spec === 'number') return this.#modules[spec];
    if ('forward' in spec) return this.framework.forwardRef(() => this.#modules[spec.forward]);
    if ('promise' in spec) return Promise.resolve(this.#modules[spec.promise]);
    if ('provider' in spec) return this.#token(spec.provider);
    return { undefined, null: null, undecorated: class Undecorated {} }[spec.bad];
  }

  #export(spec: ExportSpec): unknown {
    if (typeof spec === 'string') return this.#token(spec);
    return 'module' in spec ? this.#modules[spec.module] : undefined;
  }

  #provider(module: number, spec: ProviderSpec): unknown {
    if (typeof spec === 'string') return this.#token(spec);
    if (!('provide' in spec)) return undefined;
    const provide = this.#token(spec.provide);
    const scope = 'scope' in spec && spec.scope !== undefined ? { scope: this.framework.scopes[spec.scope] } : {};
    if ('useClass' in spec) return { provide, useClass: this.#token(spec.useClass), ...scope };
    if ('useValue' in spec) return { provide, useValue: this.#value(spec.useValue, spec.isQuiet ?? false) };
    if ('useExisting' in spec) return { provide, useExisting: this.#token(spec.useExisting) };
    if ('bad' in spec) return { provide };
    return { provide, ...scope, ...this.#factory(`M${module}/${spec.provide}`, spec) };
  }

  #value(name: string, isQuiet: boolean): object {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const record = recordOf(`value ${name}`, {});
    const made: object = isQuiet ? { [RECORD]: record } : new (this.#class(`value ${name}`, {}))();
    this.#values.set(name, made);
    return made;
  }

  #factory(label: string, spec: ClassSpec & { readonly useFactory: 'sync' | 'async' }): object {
    const Product = this.#class(label, spec);
    const inject = (spec.deps ?? []).map((each) => {
      const { isOptional } = dependencyOf(each);
      return isOptional ? { token: this.#asked(each), optional: true } : this.#asked(each);
    });
    const useFactory =
      spec.useFactory === 'sync'
        ? (...args: unknown[]) => new Product(...args)
        : async (...args: unknown[]) => {
            await Promise.resolve();
            return new Product(...args);
          };
    return { inject, useFactory };
  }

  #class(label: string, spec: ClassSpec): Class {
    const record = recordOf(label, spec);
    const fails = spec.fails ?? [];
    const events = this.#events;
    const Parent = spec.extends === undefined ? undefined : (this.#classes.get(spec.extends) as Class);
    const Made =
      Parent === undefined
        ? class {
            constructor(...args: unknown[]) {
              Object.assign(this, { [RECORD]: { ...record, args } });
              if (fails.includes('construct')) throw new Error(`${label} fails`);
            }
          }
        : class extends Parent {};
    Object.defineProperty(Made, 'name', { value: label });
    if (Parent !== undefined) return Made;
    for (const hook of HOOKS) {
      Object.defineProperty(Made.prototype, hook, {
        value: async function (this: object, ...args: unknown[]) {
          events.push({ hook, phase: '>', instance: this, args });
          for (let tick = 0; tick < (spec.ticks ?? 0); tick += 1) await Promise.resolve();
          if (fails.includes(hook)) throw new Error(`${label} fails`);
          if (spec.ticks !== undefined) events.push({ hook, phase: '<', instance: this, args });
        },
      });
    }
    return Made;
  }

  #decorate(type: Class, spec: ClassSpec): void {
    if (spec.extends === undefined) this.#ask(type, spec);
    this.framework.Injectable(spec.scope === undefined ? {} : { scope: this.framework.scopes[spec.scope] })(type);
    if (spec.isHandler !== true) return;
    Object.defineProperty(type.prototype, 'execute', { value: () => undefined });
    this.framework.Handler(type.name)(type);
  }

  /** As the compiler and the decorators would write it: the types of all parameters, and tokens where the type does not say it. */
  #ask(type: Class, { deps = [], properties = {} }: ClassSpec): void {
    if (deps.length > 0)
      Reflect.defineMetadata(
        'design:paramtypes',
        deps.map((each) => this.#typeOf(each)),
        type,
      );
    for (const [index, each] of deps.entries()) {
      if (!this.#isType(each)) this.framework.Inject(this.#asked(each))(type, undefined, index);
      if (dependencyOf(each).isOptional) this.framework.Optional()(type, undefined, index);
    }
    for (const [property, each] of Object.entries(properties)) {
      this.framework.Inject(this.#asked(each))(type.prototype, property);
      if (dependencyOf(each).isOptional) this.framework.Optional()(type.prototype, property);
    }
  }

  #isType(spec: DependencySpec): boolean {
    const { token, isForward } = dependencyOf(spec);
    return !isForward && (token === '@undefined' || typeof this.#token(token) === 'function');
  }

  #typeOf(spec: DependencySpec): unknown {
    return this.#isType(spec) ? this.#token(dependencyOf(spec).token) : Object;
  }

  #asked(spec: DependencySpec): unknown {
    const { token, isForward } = dependencyOf(spec);
    return isForward ? this.framework.forwardRef(() => this.#token(token)) : this.#token(token);
  }

  #token(name: string): unknown {
    if (name === '@undefined') return undefined;
    if (name === '@object') return Object;
    if (name.startsWith('@')) return this.framework.tokens[name];
    if (name.startsWith('module:')) return this.#moduleClasses[Number(name.slice('module:'.length))];
    if (name.startsWith('#')) return this.#symbol(name);
    return this.#classes.get(name) ?? name;
  }

  #symbol(name: string): symbol {
    const known = this.#symbols.get(name) ?? Symbol(name);
    this.#symbols.set(name, known);
    return known;
  }
}

/** What an instance is to remember, but for its arguments. */
export function recordOf(label: string, { deps = [], properties = {}, scope }: ClassSpec): Record_ {
  return {
    label,
    args: [],
    tokens: deps.map((each) => dependencyOf(each).token),
    properties: Object.keys(properties),
    forward: [...deps, ...Object.values(properties)].map((each) => dependencyOf(each).isForward),
    isTransient: scope === 'TRANSIENT',
  };
}
