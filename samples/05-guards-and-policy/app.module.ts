import { APP_GUARD, Module, RateLimitGuard, RolesGuard } from 'perch-mcp';
import { CleaningGuard, Clock } from './cleaning-guard';
import { FolderTools, ReadFileTool } from './file-tools';
import { ReadingRoom } from './reading-room';

// #region module
@Module({
  providers: [
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: CleaningGuard },
    Clock,
    ReadingRoom,
    ReadFileTool,
    FolderTools,
  ],
})
export class AppModule {}
// #endregion module
