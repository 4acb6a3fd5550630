import type { EngineCall } from '../contracts/engine';
import type { LoggerService } from '../contracts/logger';
import type { ToolResult } from '../contracts/tool';
import { isThenable } from '../contracts/type';
import { McpError } from '../errors/mcp-error';
import { thrownMessage } from '../errors/thrown-message';
import { ToolError } from '../errors/tool-error';
import type { OutputChecker } from '../schema/output-schema';
import { answerToolError, logUnexpected } from './answer-error';
import type { Handle } from './call-handler';
import type { Core } from './compile-pipeline';
import { toEngineResult, toToolResult } from './to-tool-result';

/** What runs a tool, and what becomes of its result and its errors. */
export interface CompiledHandler {
  readonly handle: Handle;
  readonly fromFilter?: Core['fromFilter'];
  readonly toResult: (value: unknown) => ToolResult | Promise<ToolResult>;
  readonly answerError: (error: unknown, logger: LoggerService) => ToolResult;
}

/** What an engine threw that is no object: only an object can be known again when filters have seen it. */
class ThrownValue extends Error {}

/** What a filter answered for an engine: a tool result like that of any filter, while an engine's own result is JSON. */
class FilterAnswer {
  constructor(readonly answer: unknown) {}
}

/**
 * Compiles an engine's call. Its result is always JSON. The messages of its own errors are told if the author wants that; those of what
 * stands around it, guards and the like, are not.
 */
export function compileEngine({ run, exposeErrors }: EngineCall, label: string, output: OutputChecker | undefined): CompiledHandler {
  const own = new WeakMap<object, string>();
  const known = (thrown: unknown): Error => {
    const message = thrownMessage(thrown);
    // It need not be an error, and goes on as it is.
    if (message === undefined || thrown instanceof ToolError || thrown instanceof McpError) return thrown as Error;
    const error = typeof thrown === 'object' && thrown !== null ? (thrown as Error) : new ThrownValue(message, { cause: thrown });
    own.set(error, message);
    return error;
  };
  const whenDone = async (result: PromiseLike<unknown>): Promise<unknown> => {
    try {
      return await result;
    } catch (thrown) {
      throw known(thrown);
    }
  };
  const handle: Handle = (input, { execution }) => {
    try {
      const result = run(input, execution.switchToMcp().context);
      return isThenable(result) ? whenDone(result) : result;
    } catch (thrown) {
      throw known(thrown);
    }
  };
  return {
    handle,
    fromFilter: (answer) => new FilterAnswer(answer),
    toResult: (value) => (value instanceof FilterAnswer ? toToolResult(value.answer, output) : toEngineResult(value, output)),
    answerError: (error, logger) => {
      const message = exposeErrors ? own.get(error as object) : undefined;
      if (message === undefined) return answerToolError(error, label, logger);
      logUnexpected(error, label, logger);
      return { content: [{ type: 'text', text: message }], isError: true };
    },
  };
}
