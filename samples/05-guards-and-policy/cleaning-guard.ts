import { Injectable, ToolError, type CanActivate } from 'perch-mcp';

/** What time it is; a token of its own, so that a test can stop it. */
@Injectable()
export class Clock {
  hour(): number {
    return new Date().getUTCHours();
  }
}

// #region guard
/** Nothing is served while the room is cleaned, which `CLEANING_HOUR` names. */
@Injectable()
export class CleaningGuard implements CanActivate {
  constructor(private readonly clock: Clock) {}

  canActivate(): boolean {
    if (String(this.clock.hour()) === process.env['CLEANING_HOUR']) throw new ToolError('The room is being cleaned. Come back in an hour.');
    return true;
  }
}
// #endregion guard
