import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '../contracts/lifecycle';
import type { LoggerService } from '../contracts/logger';
import type { SetupProblem } from '../errors/setup-error';
import type { BuiltInstance } from './build-graph';
import type { HookStage } from './hook-order';
import { LimitExceededError, withinLimit } from './within-limit';

/** The hooks that run when an application starts, and those that run when it ends. */
export type StartHook = keyof OnModuleInit | keyof OnApplicationBootstrap;
export type EndHook = keyof OnModuleDestroy | keyof BeforeApplicationShutdown | keyof OnApplicationShutdown;

/** Runs a start hook stage by stage. The stage in which one fails is finished, and the ones after it are not begun. */
export async function runStartHooks(stages: readonly HookStage[], hook: StartHook, limitMs: number): Promise<readonly SetupProblem[]> {
  for (const stage of stages) {
    const problems: SetupProblem[] = [];
    const fail = (each: BuiltInstance, error: unknown): void => void problems.push(hookFailed(each, hook, error));
    await runStage(stage, { hook, args: [], limitMs, fail });
    if (problems.length > 0) return problems;
  }
  return [];
}

/** What an end hook is called with, and where its failure goes. */
export interface EndHookOptions {
  readonly signal: string | undefined;
  readonly limitMs: number;
  readonly logger: LoggerService;
}

/** Runs an end hook in the reverse of the order of the start hooks. One that fails is logged with its class and stops no other. */
export async function runEndHooks(stages: readonly HookStage[], hook: EndHook, options: EndHookOptions): Promise<void> {
  const args = hook === 'onModuleDestroy' ? [] : [options.signal];
  const fail = ({ node }: BuiltInstance, error: unknown): void => options.logger.error(`${node.name}.${hook}() ${failure(error)}`, error);
  for (const stage of [...stages].reverse()) await runStage([...stage].reverse(), { hook, args, limitMs: options.limitMs, fail });
}

interface StageRun {
  readonly hook: StartHook | EndHook;
  readonly args: readonly unknown[];
  readonly limitMs: number;
  readonly fail: (each: BuiltInstance, error: unknown) => void;
}

async function runStage(stage: HookStage, run: StageRun): Promise<void> {
  const running = stage.flatMap((each) => {
    const called = callHook(each, run);
    return called === undefined ? [] : withinLimit(called, run.limitMs).catch((error: unknown) => run.fail(each, error));
  });
  if (running.length > 0) await Promise.all(running);
}

/** The promise of the hook; nothing when there is no hook or when it was done at once. */
function callHook(each: BuiltInstance, run: StageRun): PromiseLike<unknown> | undefined {
  try {
    const { instance } = each as { instance: Record<string, unknown> };
    if (typeof instance[run.hook] !== 'function') return undefined;
    const called = (instance[run.hook] as (...args: readonly unknown[]) => unknown)(...run.args);
    return called instanceof Object && 'then' in called ? (called as PromiseLike<unknown>) : undefined;
  } catch (error) {
    run.fail(each, error);
    return undefined;
  }
}

function hookFailed({ node }: BuiltInstance, hook: StartHook, cause: unknown): SetupProblem {
  return {
    code: 'MCP_HOOK_FAILED',
    problem: `${node.name}.${hook}() ${failure(cause)}, so the application was not started and what had been started was ended.`,
    where: `${node.name} in ${node.module.name}`,
    fix:
      cause instanceof LimitExceededError
        ? 'Finish sooner, or raise the limit for hooks.'
        : 'Look at the cause in the log. It is not repeated here, because it may hold secrets.',
    cause,
  };
}

function failure(error: unknown): string {
  return error instanceof LimitExceededError ? error.message : 'failed';
}
