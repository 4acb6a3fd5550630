// #region first-line
import 'perch-mcp/stdio';
// #endregion first-line
