import { McpSetupError } from './setup-error';

/**
 * Loads an optional peer dependency, when it is first needed. Rejects with an `McpSetupError` that names the command which installs it.
 *
 * @param entry the public entry that needs it, such as `perch-mcp/testing`
 */
export async function loadPeer<T>(name: string, entry: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new McpSetupError([
      {
        code: 'MCP_PEER_MISSING',
        problem: `${entry} needs the package ${name}, which is not installed.`,
        where: entry,
        fix: `npm install ${name}`,
        cause,
      },
    ]);
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
}
