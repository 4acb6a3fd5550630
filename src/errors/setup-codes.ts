/**
 * Every code a {@link McpSetupError} can carry, with the sentence that docs/errors.md gives it. A code is never reused.
 * A test holds this list and the page equal.
 */
export const SETUP_CODES = Object.freeze({
  MCP_DEPENDENCY_UNRESOLVED: 'A constructor parameter, property or factory asks for something no visible module provides.',
  MCP_DEPENDENCY_NOT_EXPORTED: 'What is asked for exists in another module that does not export it, or is not imported.',
  MCP_DEPENDENCY_ERASED: 'A parameter type is an interface, a primitive or `Object` at run time, so it names no provider.',
  MCP_DEPENDENCY_UNDEFINED: 'A parameter type or token is undefined at run time, mostly because of an import cycle.',
  MCP_DEPENDENCY_UNSUPPORTED: 'A parameter is decorated with a form of tsyringe that has no meaning among modules.',
  MCP_DEPENDENCY_CAPTIVE: 'A singleton depends on something that lives for one operation.',
  MCP_DEPENDENCY_CYCLE: 'Providers depend on each other in a circle.',
  MCP_METADATA_MISSING: 'The compiler wrote no decorator metadata, so nothing says what a constructor takes.',
  MCP_MODULE_INVALID: 'An entry of `imports`, or the root, is not a module.',
  MCP_MODULE_UNDEFINED: 'An entry of `imports`, `providers` or `exports` is undefined.',
  MCP_PROVIDER_INVALID: 'An entry of `providers` has none of the forms of a provider.',
  MCP_PROVIDER_DUPLICATE: 'One module provides one token twice.',
  MCP_PROVIDER_UNREACHED: 'A decorated class is reached by the graph, but no module provides it.',
  MCP_PROVIDER_FAILED: 'A constructor or a factory threw.',
  MCP_HOOK_FAILED: 'A lifecycle hook threw, or did not finish in time.',
  MCP_EXPORT_UNKNOWN: 'A module exports what it neither provides nor imports.',
  MCP_ENHANCER_INVALID: 'What stands as a guard, pipe, interceptor or filter is not one.',
  MCP_TOOL_DUPLICATE: 'Two tools have one name.',
  MCP_ENTRY_INVALID: 'An option of a tool, resource or prompt has a value that cannot be used.',
  MCP_TOOL_NAME: 'A tool name is not allowed by MCP.',
  MCP_TOOL_HANDLER: 'A class with `@McpTool` has no method to call.',
  MCP_RESOURCE_DUPLICATE: 'Two resources have one URI, or two templates match the same URIs.',
  MCP_RESOURCE_URI: 'The URI of a resource, its template or its name cannot be used.',
  MCP_RESOURCE_HANDLER: 'A class with `@McpResource` has no method to call.',
  MCP_PROMPT_DUPLICATE: 'Two prompts have one name.',
  MCP_PROMPT_NAME: 'A prompt has no name.',
  MCP_PROMPT_ARGUMENT: 'An argument of a prompt takes no string, and arguments of prompts are strings.',
  MCP_PROMPT_HANDLER: 'A class with `@McpPrompt` has no method to call.',
  MCP_COMPLETE_ARGUMENT: 'A method with `@Complete` completes an argument that nothing in its class has, or that another one completes.',
  MCP_SCHEMA_UNSUPPORTED: 'An input or output class uses something that JSON Schema cannot express.',
  MCP_SCHEMA_INVALID: 'A JSON Schema or Standard Schema cannot be used as input or output.',
  MCP_FIELD_UNDECORATED: 'A DTO property has an initial value but no decorator, so it would be refused as an unknown field.',
  MCP_OVERRIDE_UNKNOWN: 'A test replaces something that the application does not have.',
  MCP_PEER_MISSING: 'An entry point needs a package that is installed only on demand.',
  MCP_OPTION_INVALID: 'An option or an environment variable has a value that is not allowed.',
  MCP_POLICY_INVALID: 'A list of the policy, one of its entries, or the name of one of its variables cannot be used.',
  MCP_POLICY_CONFLICT: 'Two environment variables for one list of the policy disagree.',
  MCP_TRANSPORT_FAILED: 'A transport could not be opened.',
} as const);

/** `MCP_<AREA>_<WHAT>`. */
export type SetupCode = keyof typeof SETUP_CODES;
