import { McpSetupError } from '../../errors/setup-error';

/** Why a socket is not opened, and what the operator can do about it. */
export function socketRefusal(path: string, reason: string, fix: string): McpSetupError {
  // A path may hold anything but NUL; as JSON it stays on its line.
  const problem = `The socket ${JSON.stringify(path)} cannot be opened: ${reason}`;
  return new McpSetupError([{ code: 'MCP_TRANSPORT_FAILED', problem, where: 'app.listen', fix }]);
}
