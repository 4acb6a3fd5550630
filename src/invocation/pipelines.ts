import type { Enhancers } from '../contracts/enhancers';
import type { LoggerService } from '../contracts/logger';
import type { PolicyQuestions } from '../contracts/policy-questions';
import { NO_SECURITY } from '../contracts/security';
import { compilePipeline, type Pipeline } from './compile-pipeline';
import type { GlobalEnhancers } from './global-enhancers';
import type { CompiledOperation } from './compiled-operation';
import { compileProtection, type Protection } from './protection';

/** What pipelines are compiled with. */
export interface PipelinesOptions {
  readonly logger: LoggerService;
  readonly globals: GlobalEnhancers;
  readonly policy: PolicyQuestions;
}

/** A pipeline and the version of the global enhancers it was compiled with. */
export interface CompiledPipeline {
  readonly version: number;
  readonly run: Pipeline;
  readonly protection: Protection;
  /** True when the handler's instance, or one of its enhancers', lives for one operation only. */
  readonly needsScope: boolean;
}

/** The pipelines of operations: each is compiled when it is first asked for, and again when the global enhancers have changed. */
export class Pipelines {
  readonly #compiled = new WeakMap<CompiledOperation<unknown>, CompiledPipeline>();

  constructor(private readonly options: PipelinesOptions) {}

  of(operation: CompiledOperation<unknown>): CompiledPipeline {
    const known = this.#compiled.get(operation);
    if (known?.version === this.options.globals.version) return known;
    const compiled = this.#compile(operation);
    this.#compiled.set(operation, compiled);
    return compiled;
  }

  #compile({ label, operation, target, core, describeEntry }: CompiledOperation<unknown>): CompiledPipeline {
    const { globals, logger, policy } = this.options;
    const enhancers = globals.before(target?.enhancers);
    const needsScope = target?.provider.isRequestScoped === true || needScope(enhancers);
    const security = target?.security ?? NO_SECURITY;
    const protection = compileProtection({ label, operation, security, enhancers, policy, describeEntry }, logger);
    return { version: globals.version, run: compilePipeline(core, { enhancers, protection, logger }), protection, needsScope };
  }
}

function needScope({ guards, pipes, interceptors, filters }: Enhancers): boolean {
  return [...guards, ...pipes, ...interceptors, ...filters].some(({ isRequestScoped }) => isRequestScoped);
}
