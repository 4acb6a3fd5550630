import type { Provider } from '../contracts/provider';
import { Reflector } from '../decorators/reflector';
import { EngineRegistry } from '../engine/engine-registry';
import { GuardedFetch } from '../policy/network/guarded-fetch';
import { GuardedFs } from '../policy/paths/guarded-fs';
import { Policy } from '../policy/policy';
import type { Catalogues } from '../protocol/catalogues';
import { PromptRegistry } from '../registry/prompt-registry';
import { ResourceRegistry } from '../registry/resource-registry';
import { ToolRegistry } from '../registry/tool-registry';

/** What every module of an application may inject from the framework. */
export interface FrameworkParts {
  readonly catalogues: Catalogues;
  readonly engines: EngineRegistry;
  readonly policy: Policy;
}

/** The registries, for whoever registers something at run time; the policy and its ports; and what guards read metadata with. */
export function frameworkProviders({ catalogues: { tools, resources, prompts }, engines, policy }: FrameworkParts): readonly Provider[] {
  return [
    { provide: EngineRegistry, useValue: engines },
    { provide: ToolRegistry, useValue: tools.registry },
    { provide: ResourceRegistry, useValue: resources.registry },
    { provide: PromptRegistry, useValue: prompts.registry },
    { provide: Policy, useValue: policy },
    { provide: GuardedFs, useValue: new GuardedFs(policy) },
    { provide: GuardedFetch, useValue: new GuardedFetch(policy) },
    { provide: Reflector, useValue: new Reflector() },
  ];
}
