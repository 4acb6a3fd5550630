import type { EngineLike } from '../contracts/engine';
import { InvalidEngineError } from '../errors/engine-errors';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import type { ToolRegistry } from '../registry/tool-registry';
import { classNameOf, engineFacts } from './engine-facts';

/** An engine and where it comes from. */
interface Place {
  readonly engine: EngineLike;
  readonly where: string;
}

/** Where the engines of an application come from, to say what is wrong with one of them. */
export class EnginePlaces {
  readonly #owners = new Map<string, string>();

  constructor(private readonly tools: ToolRegistry) {}

  /** Remembers an engine that was registered. */
  keep(engine: EngineLike, where: string): void {
    this.#owners.set(engineFacts(engine).id, `${classNameOf(engine)} (${where})`);
  }

  /** What is wrong, when the registration of an engine threw. */
  problemsOf(error: unknown, place: Place): readonly SetupProblem[] {
    if (error instanceof McpSetupError) return error.problems.map((each) => named(each, place.where));
    if (error instanceof DuplicateRegistrationError) return [this.#duplicate(error, place)];
    const { message } =
      error instanceof InvalidEngineError ? error : { message: `The engine ${nameOf(place)} cannot be presented as a tool.` };
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
    const other = isEngine ? this.#owners.get(cause.key) : this.#ownerOfTool(cause.key);
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

  #ownerOfTool(name: string): string | undefined {
    const target = this.tools.get(name)?.target;
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
