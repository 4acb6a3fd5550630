import { uselessCompleter } from '../container/completer-problems';
import type { DiscoveredHandler } from '../container/discover-handlers';
import { identityOf, takenBefore } from '../container/handler-problems';
import type { ProviderReference } from '../contracts/provider';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import type { CheckingCatalogue, CheckingCatalogues } from './catalogue';

/** Registers the decorated handlers of an application: those that are final, each once. */
export class HandlerRegistration {
  readonly #registered = new Set<string>();
  readonly #arguments = new Map<ProviderReference, Set<string>>();

  constructor(private readonly catalogues: CheckingCatalogues) {}

  /**
   * Registers what was not registered before; returns what is wrong with schemas and completers. What is not final yet is checked and left
   * for the next time.
   */
  add(handlers: readonly DiscoveredHandler[]): SetupProblem[] {
    const problems = handlers.filter((each) => !this.#registered.has(identityOf(each.declaration))).flatMap((each) => this.#register(each));
    return problems.length > 0 ? problems : this.#uselessCompleters(handlers);
  }

  #register(handler: DiscoveredHandler): readonly SetupProblem[] {
    try {
      for (const argument of this.#serve(handler)) this.#argumentsOf(handler).add(argument);
    } catch (error) {
      if (error instanceof McpSetupError) return error.problems;
      if (error instanceof DuplicateRegistrationError) return [takenBefore(error, handler)];
      throw error;
    }
    if (handler.isFinal) this.#registered.add(identityOf(handler.declaration));
    return [];
  }

  /** Returns what can be completed. */
  #serve({ declaration, target, lister, completers, isFinal }: DiscoveredHandler): readonly string[] {
    const { tools, resources, prompts } = this.catalogues;
    if (declaration.kind === 'tool') {
      keep(tools, { ...declaration.options, target }, isFinal);
      return [];
    }
    if (declaration.kind === 'prompt') {
      return keep(prompts, { ...declaration.options, target, completers }, isFinal).arguments.map(({ name }) => name);
    }
    return keep(resources, { ...declaration.options, target, completers, ...(lister === undefined ? {} : { lister }) }, isFinal).variables;
  }

  #argumentsOf({ target }: DiscoveredHandler): Set<string> {
    const known = this.#arguments.get(target.provider) ?? new Set();
    this.#arguments.set(target.provider, known);
    return known;
  }

  #uselessCompleters(handlers: readonly DiscoveredHandler[]): SetupProblem[] {
    const useless = new Map<string, SetupProblem>();
    for (const handler of handlers) {
      for (const [argument, { class: type, method }] of handler.completers) {
        if (this.#argumentsOf(handler).has(argument)) continue;
        const problem = uselessCompleter(type, handler.moduleName, { argument, method });
        useless.set(problem.where, problem);
      }
    }
    return [...useless.values()];
  }
}

interface Registering<Entry> {
  register(entry: Entry): Entry;
}

function keep<Entry, Compiled>(
  { registry, compile, compiled }: CheckingCatalogue<Registering<Entry>, Entry, Compiled>,
  entry: Entry,
  isFinal: boolean,
): Compiled {
  return isFinal ? compiled(registry.register(entry)) : compile(entry);
}
