import type { Completer, CompleterTargets } from '../contracts/resource';
import type { HandlerTarget } from '../contracts/tool';
import type { HandlerArguments } from './call-handler';
import type { CompiledOperation } from './compiled-operation';
import { protocolOperation, type ProtocolOperation } from './protocol-operation';
import { ResultMismatch } from './to-tool-result';

/** The answer to `completion/complete` (specification: Completion). */
export interface CompletionResult {
  readonly completion: { readonly values: readonly string[]; readonly total: number; readonly hasMore: boolean };
}

/** What is completed: a prompt or a resource. */
export interface CompletionSubject {
  readonly name: string;
  readonly label: string;
  readonly target?: HandlerTarget | undefined;
  readonly completers?: CompleterTargets | undefined;
  /** Those of an entry that was registered at run time. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
  /** Throws what an unknown one is answered with. */
  readonly notFound: () => never;
}

/** Finds what completes an argument. */
export type CompletionOf = (argument: string) => CompiledOperation<CompletionResult>;

// Specification, Completion: at most 100 values in one answer.
const MOST_VALUES = 100;

/** Compiles the completers of an entry. An argument that none completes is answered with no values, to those who may know the entry. */
export function compileCompleters(subject: CompletionSubject): CompletionOf {
  const { name, label, target, completers, complete, notFound } = subject;
  const compile = (parts: Pick<ProtocolOperation<CompletionResult>, 'target' | 'run'>): CompiledOperation<CompletionResult> =>
    protocolOperation({
      operation: 'complete',
      name,
      label: `Completion of ${label}`,
      argumentsOf: valueAndOthers,
      toResult: toCompletion,
      denied: notFound,
      ...parts,
    });
  const compiled = new Map([
    ...[...(completers ?? [])].map(([argument, method]) => [argument, compile({ target: method })] as const),
    ...Object.entries(complete ?? {}).map(([argument, run]) => [argument, compile({ target, run })] as const),
  ]);
  const none = compile({ target, run: () => [] });
  return (argument) => compiled.get(argument) ?? none;
}

interface CompletionRequest {
  readonly argument: { readonly value: string };
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
}

const valueAndOthers: HandlerArguments = ({ argument, context }: CompletionRequest, mcp) => [argument.value, mcp, context?.arguments ?? {}];

function toCompletion(values: unknown): CompletionResult {
  if (!Array.isArray(values) || !values.every((each): each is string => typeof each === 'string'))
    throw new ResultMismatch(['a completion is a list of strings']);
  return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore: values.length > MOST_VALUES } };
}
