import { Container } from '../../src/container/container';
import { INQUIRER } from '../../src/container/inquirer';
import { NotBuiltError, ScopedProviderError, UnknownElementError } from '../../src/container/provider-errors';
import { McpContext } from '../../src/contracts/mcp-context';
import type { ProviderReference } from '../../src/contracts/provider';
import { Scope } from '../../src/contracts/scope';
import type { InjectionToken, Type } from '../../src/contracts/type';
import { Inject, Optional, forwardRef } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { McpTool } from '../../src/decorators/mcp-tool';
import { Global, Module } from '../../src/decorators/module';
import type { SetupCode } from '../../src/errors/setup-codes';
import { McpSetupError, throwIfAny } from '../../src/errors/setup-error';
import { recordingLogger, someContext } from '../container/boot';
import type { Framework } from './make-graph';
import { NeverEndsError, type Driver, type Kind, type Operation } from './observe';

const KINDS: Partial<Record<SetupCode, Kind>> = {
  MCP_DEPENDENCY_CAPTIVE: 'captive',
  MCP_DEPENDENCY_CYCLE: 'circle',
  MCP_DEPENDENCY_ERASED: 'unknown dependency',
  MCP_DEPENDENCY_NOT_EXPORTED: 'unknown dependency',
  MCP_DEPENDENCY_UNDEFINED: 'undefined dependency',
  MCP_DEPENDENCY_UNRESOLVED: 'unknown dependency',
  MCP_EXPORT_UNKNOWN: 'unknown export',
  MCP_HOOK_FAILED: 'failed',
  MCP_MODULE_INVALID: 'not a module',
  MCP_MODULE_UNDEFINED: 'undefined entry',
  MCP_PROVIDER_DUPLICATE: 'duplicate',
  MCP_PROVIDER_FAILED: 'failed',
  MCP_PROVIDER_INVALID: 'not a provider',
};

/** A decorated class that no module provides: NestJS names the list in which it stands. */
function kindOfUnreached(where: string): Kind {
  if (where.startsWith('the "exports"')) return 'unknown export';
  return where.startsWith('the "imports"') ? 'not a module' : 'unknown dependency';
}

const framework: Framework = {
  Module,
  Global,
  Injectable,
  Inject,
  Optional,
  Handler: (name) => McpTool({ name, description: name }) as (target: unknown) => void,
  forwardRef,
  scopes: Scope,
  tokens: { '@inquirer': INQUIRER, '@operation': McpContext },
};

/** The container of this package, driven as `McpFactory` drives it. */
export class PerchDriver implements Driver {
  readonly framework = framework;
  #container: Container | undefined;

  async create(root: unknown): Promise<void> {
    this.#container = await Container.scan(root as Type, { logger: recordingLogger() });
    throwIfAny(this.#container.problems);
    throwIfAny(await this.#container.build());
  }

  init(): Promise<void> {
    return this.#booted.init();
  }

  close(signal: string): Promise<void> {
    return this.#booted.close(signal);
  }

  get(module: unknown, token: unknown): unknown {
    return this.#booted.select(module as Type).get(token as InjectionToken, { strict: true });
  }

  resolve(module: unknown, token: unknown): Promise<unknown> {
    return this.#booted.select(module as Type).resolve(token as InjectionToken, { strict: true });
  }

  openOperation(context: object): Operation {
    const scope = this.#booted.openScope(Object.assign(someContext(), context));
    return { resolve: async (module, token) => this.#provider(module, token).get(scope), end: () => scope.close() };
  }

  kindsOf(error: unknown): readonly Kind[] {
    if (error instanceof NeverEndsError) return ['never ends'];
    if (error instanceof McpSetupError) {
      return [
        ...new Set(
          error.problems.map(({ code, where }) => (code === 'MCP_PROVIDER_UNREACHED' ? kindOfUnreached(where) : (KINDS[code] ?? code))),
        ),
      ];
    }
    if (error instanceof ScopedProviderError) return ['scoped'];
    if (error instanceof UnknownElementError) return ['unknown'];
    return [error instanceof NotBuiltError ? 'not built' : String(error)];
  }

  get #booted(): Container {
    if (this.#container === undefined) throw new Error('create() comes first');
    return this.#container;
  }

  #provider(module: unknown, token: unknown): ProviderReference {
    const { providers } = this.#node(module);
    const found = providers.get(token);
    const target = found?.recipe.kind === 'alias' ? found.links[0]?.target : found;
    if (target === undefined) throw UnknownElementError.provider(token);
    return target;
  }

  /** The graph is the container's own affair; an operation is asked through the references that invocation holds. */
  #node(module: unknown): ModuleView {
    const all = this.#booted.tokens.flatMap(
      (token) => this.#booted.references(token) as unknown as readonly { readonly module: ModuleView }[],
    );
    const found = all.find((each) => each.module.definition.identity === module);
    if (found === undefined) throw UnknownElementError.module(module);
    return found.module;
  }
}

interface ModuleView {
  readonly definition: { readonly identity: unknown };
  readonly providers: ReadonlyMap<
    unknown,
    ProviderReference & { readonly recipe: { readonly kind: string }; readonly links: readonly { readonly target?: ProviderReference }[] }
  >;
}
