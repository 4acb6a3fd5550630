import type { Container } from '../container/container';
import type { DiscoveredTool } from '../container/discover-tools';
import type { Limits } from '../contracts/limits';
import type { ToolEntry } from '../contracts/tool';
import { fieldsOf } from '../decorators/metadata';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import { compileTool, type CompiledTool } from '../invocation/compile-tool';
import { ToolRegistry, type ToolDispatch } from '../registry/tool-registry';
import type { SchemaOptions } from '../schema/schema-place';

/** The tools of one application: the registry, and what was compiled for each of its entries when it was admitted. */
export class ToolCatalogue {
  readonly registry: ToolRegistry;
  readonly #compiled = new WeakMap<ToolEntry, CompiledTool>();
  readonly #discovered = new Set<string>();
  readonly #options: SchemaOptions;

  constructor({ depth, elements }: Limits, dispatch: ToolDispatch) {
    const options: SchemaOptions = { fieldsOf, maxDepth: depth, maxElements: elements };
    this.#options = options;
    this.registry = new ToolRegistry({ dispatch, admit: (entry) => void this.#compiled.set(entry, compileTool(entry, options)) });
  }

  /** What was compiled for an entry of the registry, also while a call to an entry that was just removed goes on. */
  compiled(entry: ToolEntry): CompiledTool {
    const compiled = this.#compiled.get(entry);
    if (compiled === undefined) throw new Error(`Tool "${entry.name}" was never registered here.`);
    return compiled;
  }

  /**
   * Registers the decorated tools that were not registered before; returns what is wrong with their schemas. One that is not final yet is
   * checked and left for the next time.
   */
  registerDiscovered(container: Container): SetupProblem[] {
    return container.discover().flatMap((tool) => this.#register(tool));
  }

  #register({ declaration, target, isFinal }: DiscoveredTool): readonly SetupProblem[] {
    const { name } = declaration.options;
    if (this.#discovered.has(name)) return [];
    const entry = { ...declaration.options, target };
    try {
      if (isFinal) this.registry.register(entry);
      else compileTool(entry, this.#options);
    } catch (error) {
      if (error instanceof McpSetupError) return error.problems;
      if (error instanceof DuplicateRegistrationError) return [nameTaken(error, target.class.name)];
      throw error;
    }
    if (isFinal) this.#discovered.add(name);
    return [];
  }
}

/** An instance registered the name while it was built, before its decorated owner could. */
function nameTaken(cause: DuplicateRegistrationError, owner: string): SetupProblem {
  return {
    code: 'MCP_TOOL_DUPLICATE',
    problem: `${cause.message}. It is declared by ${owner}, and was registered while the providers were built.`,
    where: `@McpTool() on ${owner}`,
    fix: 'Give one another name.',
    cause,
  };
}
