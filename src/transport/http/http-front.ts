import type { ResourceMetadataOptions } from '../../contracts/resource-metadata';
import type { AllowedHosts } from '../../policy/host-gate';

/** For whom an HTTP server answers, and what it tells whom. */
export interface HttpFront {
  readonly hosts: AllowedHosts;
  /** The origins whose pages may read answers. */
  readonly origins: readonly string[];
  readonly trustProxy: boolean;
  readonly resourceMetadata: ResourceMetadataOptions | undefined;
}
