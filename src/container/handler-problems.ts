import type { HandlerTarget } from '../contracts/tool';
import { describeToken } from '../contracts/type';
import type { HandlerDeclaration } from '../decorators/metadata';
import { DuplicateRegistrationError, type RegisteredKind } from '../errors/registry-errors';
import type { SetupCode } from '../errors/setup-codes';
import type { SetupProblem } from '../errors/setup-error';
import { problemOfPromptName } from '../registry/prompt-name';
import { problemOfResource, sharedKeyOf } from '../registry/resource-uri';
import { problemOfToolName } from '../registry/tool-name';

/** Where a handler is declared. */
export interface HandlerPlace {
  readonly declaration: HandlerDeclaration;
  readonly target: HandlerTarget;
  readonly moduleName: string;
}

interface KindTexts {
  readonly kind: RegisteredKind;
  readonly word: string;
  readonly duplicate: SetupCode;
  readonly handler: SetupCode;
  /** The parameters of the handler. */
  readonly parameters: string;
  /** The option that names it. */
  readonly key: string;
}

const TEXTS: Readonly<Record<RegisteredDeclaration['kind'], KindTexts>> = {
  tool: {
    kind: 'Tool',
    word: 'McpTool',
    duplicate: 'MCP_TOOL_DUPLICATE',
    handler: 'MCP_TOOL_HANDLER',
    parameters: 'input, context',
    key: 'name',
  },
  resource: {
    kind: 'Resource',
    word: 'McpResource',
    duplicate: 'MCP_RESOURCE_DUPLICATE',
    handler: 'MCP_RESOURCE_HANDLER',
    parameters: 'variables, context',
    key: 'uri',
  },
  prompt: {
    kind: 'Prompt',
    word: 'McpPrompt',
    duplicate: 'MCP_PROMPT_DUPLICATE',
    handler: 'MCP_PROMPT_HANDLER',
    parameters: 'args, context',
    key: 'name',
  },
};

/** A declaration that a registry keeps under a key it says itself: one of `@McpTool()`, `@McpResource()` and `@McpPrompt()`. */
export type RegisteredDeclaration = Exclude<HandlerDeclaration, { kind: 'completer' | 'engine' | 'health' }>;

/** The key of its registry: the name of a tool or prompt, the URI of a resource. */
export function keyOf(declaration: RegisteredDeclaration): string {
  return declaration.kind === 'resource' ? declaration.options.uri : declaration.options.name;
}

/** Equal for two declarations of one kind that answer exactly the same requests. */
export function identityOf(declaration: RegisteredDeclaration): string {
  const key = keyOf(declaration);
  return `${declaration.kind} ${declaration.kind === 'resource' ? sharedKeyOf(key) : key}`;
}

/** What is wrong with the name or URI. */
export function badKey({ target, moduleName }: HandlerPlace, declaration: RegisteredDeclaration): SetupProblem | undefined {
  const place = { owner: describeToken(target.class), where: placeOf(declaration, { target, moduleName }) };
  if (declaration.kind === 'tool') return problemOfToolName(declaration.options.name, place.owner, place.where);
  if (declaration.kind === 'prompt') return problemOfPromptName(declaration.options.name, place);
  return problemOfResource(declaration.options, place);
}

/** There is no method to call. */
export function noHandler({ target, moduleName }: HandlerPlace, declaration: RegisteredDeclaration): SetupProblem {
  const { kind, handler, parameters } = TEXTS[declaration.kind];
  const method = String(declaration.method);
  return {
    code: handler,
    problem: `${kind} "${keyOf(declaration)}" has nothing to call: ${describeProvider(target)} has no method ${method}().`,
    where: placeOf(declaration, { target, moduleName }),
    fix: `Add the method: ${method}(${parameters}) { … }. A property that holds a function does not count.`,
  };
}

/** Two declarations answer the same requests. */
export function duplicate(first: HandlerPlace, second: HandlerPlace, declaration: RegisteredDeclaration): SetupProblem {
  const { kind, word, duplicate: code, key } = TEXTS[declaration.kind];
  const cause = new DuplicateRegistrationError(kind, keyOf(declaration));
  return {
    code,
    problem: `${cause.message}. It is declared by both ${describeDeclarer(first)} and ${describeDeclarer(second)}.`,
    where: placeOf(declaration, second),
    fix: `Give one another ${key} in @${word}({ ${key} }).`,
    cause,
  };
}

/** An instance registered the key while it was built, before its decorated owner could. */
export function takenBefore(
  cause: DuplicateRegistrationError,
  { declaration, target }: HandlerPlace & { readonly declaration: RegisteredDeclaration },
): SetupProblem {
  const { word, duplicate: code } = TEXTS[declaration.kind];
  return {
    code,
    problem: `${cause.message}. It is declared by ${target.class.name}, and was registered while the providers were built.`,
    where: `@${word}() on ${target.class.name}`,
    fix: `Give one another ${TEXTS[declaration.kind].key}.`,
    cause,
  };
}

function placeOf(declaration: RegisteredDeclaration, { target, moduleName }: Pick<HandlerPlace, 'target' | 'moduleName'>): string {
  return `@${TEXTS[declaration.kind].word}() on ${describeToken(target.class)} in ${moduleName}`;
}

function describeDeclarer({ target, declaration, moduleName }: HandlerPlace): string {
  return `${describeProvider(target)}.${String(declaration.method)} in ${moduleName}`;
}

function describeProvider(target: HandlerTarget): string {
  const type = describeToken(target.class);
  return target.provider.name === type ? type : `${type} (provided as ${target.provider.name})`;
}
