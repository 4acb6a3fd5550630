import type { McpApplicationOptions } from '../bootstrap/application-options';
import { createApplication } from '../bootstrap/create-application';
import { StderrLogger } from '../bootstrap/stderr-logger';
import type { McpApplication } from '../bootstrap/mcp-application';
import type { LoggerService } from '../contracts/logger';
import type { DynamicModule, FactoryDependency, ModuleImport, ModuleMetadata, Provider } from '../contracts/provider';
import type { InjectionToken, Type } from '../contracts/type';
import { refuseUnknownOverrides } from './unknown-override';

type Stand = Exclude<Provider, Type>;

/** What stands in for a provider. */
export interface OverrideBy {
  useValue(value: unknown): TestingModuleBuilder;
  useClass(type: Type): TestingModuleBuilder;
  useFactory(options: {
    readonly factory: (...args: never[]) => unknown;
    readonly inject?: readonly FactoryDependency[];
  }): TestingModuleBuilder;
}

/** What stands in for a module. */
export interface OverrideModuleBy {
  useModule(module: ModuleImport): TestingModuleBuilder;
}

/** Makes an application for a test, with stand-ins for some of its parts. */
export class TestingModuleBuilder {
  readonly #providers = new Map<InjectionToken, Stand>();
  readonly #modules = new Map<unknown, ModuleImport>();
  #mocker: ((token: InjectionToken) => unknown) | undefined;
  #logger: LoggerService | false = new StderrLogger('error');

  constructor(private readonly metadata: ModuleMetadata) {}

  /** Replaces what every module provides under this token. */
  overrideProvider(token: InjectionToken): OverrideBy {
    const put = (stand: Stand): this => {
      this.#providers.set(token, stand);
      return this;
    };
    return {
      useValue: (useValue) => put({ provide: token, useValue }),
      useClass: (useClass) => put({ provide: token, useClass }),
      useFactory: ({ factory, inject = [] }) => put({ provide: token, useFactory: factory as (...args: unknown[]) => unknown, inject }),
    };
  }

  /** Replaces a guard class wherever it is used. */
  overrideGuard(guard: InjectionToken): OverrideBy {
    return this.overrideProvider(guard);
  }

  /** Replaces a pipe class wherever it is used. */
  overridePipe(pipe: InjectionToken): OverrideBy {
    return this.overrideProvider(pipe);
  }

  /** Replaces an interceptor class wherever it is used. */
  overrideInterceptor(interceptor: InjectionToken): OverrideBy {
    return this.overrideProvider(interceptor);
  }

  /** Replaces a filter class wherever it is used; what the class catches, its stand-in catches. */
  overrideFilter(filter: InjectionToken): OverrideBy {
    return this.overrideProvider(filter);
  }

  /** Imports another module in this one's place: a class, with the dynamic modules it makes, or one dynamic module object. */
  overrideModule(module: Type | DynamicModule): OverrideModuleBy {
    return {
      useModule: (replacement) => {
        this.#modules.set(module, replacement);
        return this;
      },
    };
  }

  /** Makes something for every token that nothing provides; what it answers with `undefined` stays missing. */
  useMocker(mocker: (token: InjectionToken) => unknown): this {
    this.#mocker = mocker;
    return this;
  }

  /** Logs there. Without it only errors are written, to stderr. */
  setLogger(logger: LoggerService): this {
    this.#logger = logger;
    return this;
  }

  /**
   * Checks and builds the application; no hook has run yet. Rejects with an `McpSetupError` for what would keep it from starting, and
   * for an override that matches nothing, with the names that are near.
   */
  async compile(options: Partial<McpApplicationOptions> = {}): Promise<McpApplication> {
    const mocker = this.#mocker;
    const overrides = { providers: this.#providers, modules: this.#modules, ...(mocker === undefined ? {} : { mocker }) };
    return createApplication(
      this.metadata,
      { name: 'test', version: '0.0.0', logger: this.#logger, ...options },
      { overrides, refuse: refuseUnknownOverrides },
    );
  }
}
