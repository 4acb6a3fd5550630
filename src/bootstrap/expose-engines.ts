import type { Container } from '../container/container';
import type { LoggerService } from '../contracts/logger';
import { EngineExposure } from '../engine/engine-exposure';
import { ENGINE_MODULE_OPTIONS, type EngineModuleOptions } from '../engine/engine-module';
import { problemsOfEngineOptions } from '../engine/engine-option-problems';
import type { EngineRegistry } from '../engine/engine-registry';
import type { SetupProblem } from '../errors/setup-error';
import type { ToolRegistry } from '../registry/tool-registry';

/** What exposing needs of an application whose singletons are built. */
export interface EngineParts {
  readonly container: Container;
  readonly engines: EngineRegistry;
  readonly tools: ToolRegistry;
  readonly logger: LoggerService;
}

/** Presents the engines as tools, where `EngineModule` is imported; returns what keeps one from being presented. */
export function exposeEngines({ container, engines, tools, logger }: EngineParts): readonly SetupProblem[] {
  const [first, second] = container.references(ENGINE_MODULE_OPTIONS);
  const discovered = container.engines();
  if (first === undefined) {
    warnOfUnserved(
      discovered.map(({ target }) => target.class.name),
      logger,
    );
    return [];
  }
  if (second !== undefined) return [IMPORTED_TWICE];
  const options = first.get() as EngineModuleOptions;
  const problems = problemsOfEngineOptions(options);
  if (problems.length > 0) return problems;
  const exposure = new EngineExposure({ engines, tools, options });
  const unexposed = exposure.expose(discovered);
  for (const id of exposure.strayIds()) logger.warn(`EngineModule.forRoot() includes or excludes "${id}", and no engine has that id.`);
  return unexposed;
}

const IMPORTED_TWICE: SetupProblem = {
  code: 'MCP_OPTION_INVALID',
  problem: 'EngineModule.forRoot() is imported more than once, with options of its own each time.',
  where: 'EngineModule.forRoot()',
  fix: 'Import it once; it finds the engines of every module. Or keep what it returns in a constant and import that.',
};

function warnOfUnserved(names: readonly string[], logger: LoggerService): void {
  if (names.length === 0) return;
  logger.warn(`${names.join(', ')}: @Engine() is served where a module imports EngineModule.forRoot(), and none does.`);
}
