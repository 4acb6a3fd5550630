import type { ArgumentMetadata } from '../contracts/enhancers';
import type { Operation } from '../contracts/execution-context';
import type { HandlerTarget } from '../contracts/tool';
import { asProtocolError } from './answer-error';
import { callFunction, callTarget, type HandlerArguments } from './call-handler';
import type { Core } from './compile-pipeline';
import { isDenial } from './denial';
import { asListed, OperationExecutionContext } from './operation-execution-context';
import type { CompiledOperation } from './compiled-operation';

/** What an operation other than a tool call is made of. */
export interface ProtocolOperation<R> {
  readonly operation: Operation;
  /** The key of the entry. */
  readonly name: string;
  readonly label: string;
  /** The provider's method, whose enhancers stand before it. */
  readonly target: HandlerTarget | undefined;
  /** What runs instead of the target's method, or where there is no target. */
  readonly run?: ((...args: never[]) => unknown) | undefined;
  /** What the handler is called with; default the arguments and the context. */
  readonly argumentsOf?: HandlerArguments;
  /** Checks what was sent; default takes it as it is. */
  readonly bind?: Core['bind'];
  /** What pipes are told. Without it they do not run. */
  readonly metadata?: ArgumentMetadata;
  /** What guards are told of a request: by default the entry's key, and the arguments as sent. */
  readonly requestOf?: (raw: never) => { readonly name: string; readonly arguments: unknown };
  readonly toResult: (value: unknown, raw: never) => R;
  /** What a guard's denial is answered with: a result, or a throw of what an unknown thing is answered with. */
  readonly denied: (raw: never) => R;
}

/** Compiles an operation whose failures are protocol errors. */
export function protocolOperation<R>(parts: ProtocolOperation<R>): CompiledOperation<R> {
  const { operation, name, label, target, run, bind = asItIs, metadata, toResult } = parts;
  // Where it is only decided who may know of an entry, there is no request.
  const requestOf = (raw: unknown): { name: string; arguments: unknown } =>
    (raw === undefined ? undefined : parts.requestOf?.(raw as never)) ?? { name, arguments: raw };
  return Object.freeze({
    operation,
    name,
    nameOf: (raw) => requestOf(raw).name,
    label,
    target,
    timeoutMs: undefined,
    core: { bind, handle: handleOf(parts), metadata },
    describe: (raw, context) => {
      const request = requestOf(raw);
      return new OperationExecutionContext(
        { operation, name: request.name, entry: name, target, execute: run },
        request.arguments,
        context,
      );
    },
    describeEntry: asListed({ name, target, execute: run }),
    toResult: (value, raw) => toResult(value, raw as never),
    answerError: (error, logger, raw) => {
      const failure = asProtocolError(error, label, logger);
      if (isDenial(error)) return parts.denied(raw as never);
      throw failure;
    },
  } satisfies CompiledOperation<R>);
}

function asItIs(raw: unknown): unknown {
  return raw;
}

function handleOf<R>({ label, target, run, argumentsOf }: ProtocolOperation<R>): Core['handle'] {
  if (run !== undefined) return callFunction(run, argumentsOf);
  if (target === undefined) throw new TypeError(`${label} has nothing to run.`);
  return callTarget(target, argumentsOf);
}

/** The value as JSON carries it: no getter, `toJSON` or cycle is left for a transport to trip over. Throws for what JSON cannot carry. */
export function plainJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
