import type { LoggerService } from '../contracts/logger';
import type { SetupProblem } from '../errors/setup-error';
import type { BuiltInstance } from './build-graph';
import type { HookStage } from './hook-order';
import { hookMethod, type EndHook, type StartHook } from './hook-methods';
import { LimitExceededError, withinLimit } from './within-limit';

/** Runs a start hook stage by stage. The stage in which one fails is finished, and the ones after it are not begun. */
export async function runStartHooks(stages: readonly HookStage[], hook: StartHook, limitMs: number): Promise<readonly SetupProblem[]> {
  const problems: SetupProblem[] = [];
  const fail = (each: BuiltInstance, error: unknown): void => void problems.push(hookFailed(each, hook, error));
  const run: StageRun = { hook, args: [], limitMs, fail };
  for (const stage of stages) {
    const running = runStage(stage, run);
    if (running !== undefined) await running;
    if (problems.length > 0) break;
  }
  return problems;
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
  readonly args: unknown[];
  readonly limitMs: number;
  readonly fail: (each: BuiltInstance, error: unknown) => void;
}

/** Calls the hook of each; a promise where some of them have to be waited for. */
function runStage(stage: HookStage, run: StageRun): Promise<unknown> | undefined {
  let running: Promise<void>[] | undefined;
  for (const each of stage) {
    const called = callHook(each, run);
    if (called === undefined) continue;
    (running ??= []).push(withinLimit(called, run.limitMs).catch((error: unknown) => run.fail(each, error)));
  }
  return running === undefined ? undefined : Promise.all(running);
}

/** The promise of the hook; nothing when there is no hook or when it was done at once. */
function callHook(each: BuiltInstance, run: StageRun): PromiseLike<unknown> | undefined {
  try {
    const method = hookMethod(each.instance as object, run.hook);
    const called = method?.apply(each.instance, run.args);
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
