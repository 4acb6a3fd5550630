/**
 * What the operator lets this process touch, as yes or no. No question throws, whatever it is asked; what is not understood is refused.
 * While nothing is enforced, every answer is yes. An answer is advice: between it and the access a file can change, a name can move.
 */
export interface PolicyQuestions {
  /** False when no policy is in force. */
  readonly enforced: boolean;
  /** Takes an absolute path, existing or not, and decides by its real path. */
  allowsFsRead(absolutePath: string): boolean;
  /** Takes an absolute path, existing or not, and decides by its real path. */
  allowsFsWrite(absolutePath: string): boolean;
  /** Takes `host`, `host:port`, or an http, https, ws or wss URL. */
  allowsNetwork(hostOrUrl: string): boolean;
  /** Takes the absolute path of a Unix socket; abstract names are always refused. A permission for the network is none for sockets. */
  allowsSocket(absolutePath: string): boolean;
}

/** A refusal of the policy. */
export interface PolicyDenial {
  readonly denied: true;
  /** What was refused, for the log or the caller. It is the same whether the thing exists or not. */
  readonly reason: string;
}
