import { Container, type ContainerOptions } from '../../src/container/container';
import type { LoggerService } from '../../src/contracts/logger';
import { McpContext } from '../../src/contracts/mcp-context';
import { throwIfAny, type SetupProblem } from '../../src/errors/setup-error';

/** A logger that keeps what it is told. */
export function recordingLogger(): LoggerService & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  return { lines, log: write, error: write, warn: write, debug: write, verbose: write, fatal: write };
}

type Root = Parameters<typeof Container.scan>[0];

/** Scans and builds; throws what the author would see. */
export async function bootContainer(root: Root, options: Partial<ContainerOptions> = {}): Promise<Container> {
  const container = await Container.scan(root, { logger: recordingLogger(), ...options });
  throwIfAny(container.problems);
  throwIfAny(await container.build());
  return container;
}

/** Everything that scanning finds wrong with a root. */
export async function problemsOf(root: Root, options: Partial<ContainerOptions> = {}): Promise<readonly SetupProblem[]> {
  return (await Container.scan(root, { logger: recordingLogger(), ...options })).problems;
}

/** The codes of problems, in their order. */
export function codesOf(problems: readonly SetupProblem[]): readonly string[] {
  return problems.map((each) => each.code);
}

/** An operation's context; a container only passes it on. */
export function someContext(requestId: string | number = 1): McpContext {
  return Object.assign(Object.create(McpContext.prototype) as McpContext, { requestId });
}
