import type { ModuleImport, ModuleMetadata } from '../contracts/provider';
import type { McpApplicationOptions } from './application-options';
import { createApplication } from './create-application';
import type { McpApplication } from './mcp-application';

/** Makes applications. */
export class McpFactory {
  /**
   * Scans the modules from `root`, checks everything that can be checked, and builds every instance. Nothing is served yet and no hook
   * has run: `listen` does both. Rejects with one `McpSetupError` that lists every problem; static ones first, all together, then
   * those that need instances.
   */
  static async create(root: ModuleImport | ModuleMetadata, options: McpApplicationOptions): Promise<McpApplication> {
    return createApplication(root, options);
  }
}
