// The code of docs/health.md.
import { HealthIndicator, Injectable, Module } from 'perch-mcp';

@Injectable()
export class Database {
  isReachable = true;
  async ping(): Promise<void> {
    if (!this.isReachable) throw new Error('connection refused');
  }
}

// #region indicator
@HealthIndicator({ name: 'database' })
export class DatabaseHealth implements HealthIndicator {
  constructor(private readonly database: Database) {}

  async check(): Promise<void> {
    await this.database.ping();
  }
}

@Module({ providers: [Database, DatabaseHealth] })
export class AppModule {}
// #endregion indicator
