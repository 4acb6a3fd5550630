import type { EngineLike } from '../contracts/engine';
import { InvalidEngineError } from '../errors/engine-errors';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import { thrownMessage } from '../errors/thrown-message';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import type { ToolRegistry } from '../registry/tool-registry';
import { classNameOf } from './engine-facts';
import type { EngineRegistry } from './engine-registry';

/** An engine and where it comes from. */
interface Place {
  readonly engine: EngineLike;
  readonly where: string;
}

/** Where the engines of an application come from, to say what is wrong with one of them. */
export class EnginePlaces {
  readonly #wheres = new Map<EngineLike, string>();

  constructor(
    private readonly engines: EngineRegistry,
    private readonly tools: ToolRegistry,
  ) {}

  /** Remembers an engine that was registered. */
  keep(engine: EngineLike, where: string): void {
    this.#wheres.set(engine, where);
  }

  /** What is wrong, when the registration of an engine threw. */
  problemsOf(error: unknown, place: Place): readonly SetupProblem[] {
    if (error instanceof McpSetupError) return error.problems.map((each) => named(each, place.where));
    if (error instanceof DuplicateRegistrationError) return [this.#duplicate(error, place)];
    const message =
      error instanceof InvalidEngineError
        ? error.message
        : `The engine ${nameOf(place)} cannot be presented as a tool: ${thrownMessage(error) ?? 'what was thrown says nothing'}.`;
    return [
      {
        code: 'MCP_ENGINE_INVALID',
        problem: message,
        where: place.where,
        fix: 'An engine has an id, a non-empty string, and a method execute(context). Give the id in the class or in @Engine({ id }).',
        cause: error,
      },
    ];
  }

  #duplicate(cause: DuplicateRegistrationError, place: Place): SetupProblem {
    const isEngine = cause.kind === 'Engine';
    const other = isEngine ? this.#engineAt(this.engines.get(cause.key)) : this.#ownerOfTool(cause.key);
    return {
      code: isEngine ? 'MCP_ENGINE_DUPLICATE' : 'MCP_TOOL_DUPLICATE',
      problem: `${cause.message}. It is declared by both ${other ?? 'a registration'} and ${nameOf(place)} (${place.where}).`,
      where: place.where,
      fix: isEngine
        ? 'Give one another id, or leave it out of `engines`.'
        : 'Give the tool another name, or map the engine: EngineModule.forRoot({ toolName: (engine) => … }).',
      cause,
    };
  }

  #engineAt(engine: EngineLike | undefined): string | undefined {
    return engine === undefined ? undefined : `${classNameOf(engine)} (${this.#wheres.get(engine) ?? 'EngineRegistry.register()'})`;
  }

  #ownerOfTool(name: string): string | undefined {
    const { engine, target } = this.tools.get(name) ?? {};
    if (engine !== undefined) return this.#engineAt(engine.instance);
    return target === undefined ? undefined : `${target.class.name}.${String(target.method)}`;
  }
}

/** A name that MCP does not allow can stay the engine's id. */
function named(problem: SetupProblem, where: string): SetupProblem {
  if (problem.code !== 'MCP_TOOL_NAME') return problem;
  return { ...problem, where, fix: `${problem.fix}\nKeep the id and map it: EngineModule.forRoot({ toolName: (engine) => … }).` };
}

function nameOf({ engine }: Place): string {
  return typeof engine === 'object' && (engine as unknown) !== null ? classNameOf(engine) : `a ${typeof engine}`;
}
