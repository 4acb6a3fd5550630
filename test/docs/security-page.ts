// The code of docs/security.md that is not of samples/05-guards-and-policy. security-claims.test.ts runs it.
import {
  AuditSink,
  Injectable,
  McpFactory,
  McpTool,
  Module,
  Policy,
  Scopes,
  UseGuards,
  type AuditRecord,
  type CanActivate,
  type ExecutionContext,
  type McpApplication,
} from 'perch-mcp';

// #region guard
@Injectable()
export class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToMcp().context.principal?.claims?.['tenant'] === 'acme';
  }

  /** Decides without arguments, so it can hide: others are answered as if the tool did not exist. */
  canList(context: ExecutionContext): boolean {
    return this.canActivate(context);
  }
}

@McpTool({ name: 'invoices', description: 'Lists invoices' })
@UseGuards(TenantGuard)
export class InvoicesTool {
  execute(): string {
    return 'none';
  }
}
// #endregion guard

// #region scopes
@McpTool({ name: 'publish', description: 'Publishes a document' })
@Scopes('docs:write')
export class PublishTool {
  execute(): string {
    return 'Published.';
  }
}
// #endregion scopes

// #region audit
@Injectable()
export class AuditTable extends AuditSink {
  readonly rows: AuditRecord[] = [];

  write(record: AuditRecord): void {
    this.rows.push(record);
  }
}

@Module({ providers: [InvoicesTool, TenantGuard, PublishTool, { provide: AuditSink, useClass: AuditTable }] })
export class OfficeModule {}
// #endregion audit

// #region policy
export function createOffice(): Promise<McpApplication> {
  return McpFactory.create(OfficeModule, {
    name: 'office',
    version: '1.0.0',
    policy: Policy.define({
      fsRead: ['/srv/data', '!/srv/data/private'],
      network: ['api.example.com:443', '10.1.2.3:5432'],
    }),
    unmetRequirements: 'refuse',
    audit: 'all',
  });
}
// #endregion policy
