import type { ResourceMetadataOptions } from '../../contracts/resource-metadata';
import { LOOPBACK_NAMES, type AllowedHosts } from '../../policy/host-gate';

/** For whom an HTTP server answers, and what it tells whom. */
export interface HttpFront {
  readonly hosts: AllowedHosts;
  /** The origins whose pages may read answers. */
  readonly origins: readonly string[];
  readonly trustProxy: boolean;
  readonly resourceMetadata: ResourceMetadataOptions | undefined;
}

/** For a server that only this machine reaches. */
export const LOOPBACK_FRONT: HttpFront = Object.freeze({
  hosts: LOOPBACK_NAMES,
  origins: [],
  trustProxy: false,
  resourceMetadata: undefined,
});
