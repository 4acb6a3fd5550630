/** What the operator lets this process touch. Asking is advice: it stops nothing that does not ask. */
export interface PolicyQuestions {
  /** False where no policy is in force; every answer is then yes. */
  readonly enforced: boolean;
  /** Whether the file or directory at this absolute path may be read. False for anything that is not an absolute path. */
  allowsFsRead(path: string): boolean;
  allowsFsWrite(path: string): boolean;
  /** Whether this host, `host:port` or URL may be connected to. */
  allowsNetwork(hostOrUrl: string): boolean;
  /** Whether the Unix socket at this absolute path may be connected to. */
  allowsSocket(path: string): boolean;
}
