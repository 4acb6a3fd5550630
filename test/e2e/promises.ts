/** One behaviour that clients can rely on, and where the specification asks for it. */
export interface SpecificationPromise {
  /** Stable: tests cite it in their titles, in brackets. */
  readonly id: string;
  readonly says: string;
  readonly links: readonly string[];
}

const PLACE = 'https://modelcontextprotocol.io/specification';
const legacy = (page: string): string => `${PLACE}/2025-11-25/${page}`;
const modern = (page: string): string => `${PLACE}/2026-07-28/${page}`;
const both = (page: string): readonly string[] => [legacy(page), modern(page)];

/** promises.test.ts holds that every one is cited by a test. */
export const PROMISES: readonly SpecificationPromise[] = [
  // Messages
  { id: 'base.result-type', says: 'A modern result says that it is complete.', links: [modern('basic/index#result-responses')] },
  { id: 'base.id', says: 'An answer carries the id of its request, exactly as it was.', links: both('basic/index#responses') },
  { id: 'base.parse', says: 'What is not JSON is answered -32700, once.', links: [modern('basic/index#error-codes')] },
  { id: 'base.request', says: 'A message that is no request is answered -32600, once.', links: [modern('basic/index#error-codes')] },
  { id: 'base.notification', says: 'A notification is never answered.', links: both('basic/index#notifications') },
  {
    id: 'base.method',
    says: 'An unknown method is answered -32601.',
    links: [modern('basic/transports/streamable-http#protocol-version-header')],
  },
  { id: 'base.meta', says: 'A modern request without its envelope is answered -32602.', links: [modern('basic/index#meta')] },
  {
    id: 'base.ping',
    says: 'A legacy ping is answered with an empty result.',
    links: [legacy('basic/utilities/ping#behavior-requirements')],
  },
  { id: 'base.icons', says: 'Icons are published as they were declared.', links: both('basic/index#icons') },

  // Versions and sessions
  { id: 'version.initialize', says: 'initialize says who serves and what it can do.', links: [legacy('basic/lifecycle#initialization')] },
  { id: 'version.first', says: 'A legacy stream begins with initialize.', links: [legacy('basic/lifecycle#initialization')] },
  {
    id: 'version.negotiation',
    says: 'initialize is answered with the revision that was asked for, or with the latest.',
    links: [legacy('basic/lifecycle#version-negotiation')],
  },
  {
    id: 'version.unsupported',
    says: 'A modern request for a revision that is not served is answered -32022 with those that are.',
    links: [modern('basic/versioning#protocol-version-negotiation')],
  },
  {
    id: 'version.both',
    says: 'One server serves clients of both eras, on every transport.',
    links: [modern('basic/versioning#backward-compatibility-with-initialization-based-versions')],
  },
  {
    id: 'discover.result',
    says: 'server/discover says who serves, what it can do and which revisions it speaks.',
    links: [modern('server/discover#response')],
  },
  {
    id: 'session.required',
    says: 'A legacy HTTP request without its session is answered 400, with an unknown one 404.',
    links: [legacy('basic/transports#session-management')],
  },
  {
    id: 'replay.prime',
    says: 'With replay, the stream of a request begins with an event that has an id, no data, and says when to come back.',
    links: [legacy('basic/transports#sending-messages-to-the-server')],
  },
  {
    id: 'replay.resume',
    says: 'With replay, a client that comes back with Last-Event-ID gets what followed, once and in order.',
    links: [legacy('basic/transports#resumability-and-redelivery')],
  },
  {
    id: 'replay.own',
    says: 'Nothing is replayed that belongs to another stream or another session.',
    links: [legacy('basic/transports#resumability-and-redelivery'), legacy('basic/transports#multiple-connections')],
  },
  { id: 'session.delete', says: 'DELETE ends a legacy session.', links: [legacy('basic/transports#session-management')] },

  // HTTP and stdio
  {
    id: 'http.origin',
    says: 'A request with a foreign Origin is answered 403.',
    links: [legacy('basic/transports#security-warning'), modern('basic/transports/streamable-http')],
  },
  {
    id: 'http.loopback',
    says: 'HTTP listens on the loopback address only, unless it asks for a token.',
    links: [legacy('basic/transports#security-warning'), modern('basic/transports/streamable-http')],
  },
  {
    id: 'http.token',
    says: 'Where a token is asked for, a request without a valid one is answered 401 with a challenge.',
    links: both('basic/authorization#token-handling'),
  },
  {
    id: 'http.silent',
    says: 'A call of the modern era that is silent for long becomes an event stream that ends with its answer.',
    links: [modern('basic/transports/streamable-http#sending-messages-to-the-server')],
  },
  {
    id: 'http.metadata',
    says: 'A client without a token is led to the authorization servers by the challenge it gets.',
    links: both('basic/authorization#authorization-server-discovery'),
  },
  {
    id: 'http.scopes',
    says: 'A request whose token lacks scopes is answered 403 with a challenge that names them.',
    links: both('basic/authorization#scope-challenge-handling'),
  },
  {
    id: 'session.owner',
    says: 'A legacy session belongs to the user who began it.',
    links: [legacy('basic/transports#session-management')],
  },
  {
    id: 'http.headers',
    says: 'A modern request whose headers do not repeat its body is answered 400 with -32020.',
    links: [modern('basic/transports/streamable-http#server-validation')],
  },
  {
    id: 'http.version',
    says: 'A legacy request with a version header that is not served is answered 400.',
    links: [legacy('basic/transports#protocol-version-header')],
  },
  {
    id: 'http.accepted',
    says: 'A notification over HTTP is answered 202 without a body.',
    links: [legacy('basic/transports#sending-messages-to-the-server'), modern('basic/transports/streamable-http#sending-messages')],
  },
  {
    id: 'http.get',
    says: 'A modern GET or DELETE is answered 405.',
    links: [modern('basic/transports/streamable-http#earlier-streamable-http-revisions')],
  },
  {
    id: 'stdio.clean',
    says: 'stdout carries protocol messages, one a line, and nothing else.',
    links: [legacy('basic/transports#stdio'), modern('basic/transports/stdio')],
  },
  {
    id: 'stdio.end',
    says: 'A server exits when its standard input is closed.',
    links: [legacy('basic/lifecycle#shutdown'), modern('basic/transports/stdio#shutdown')],
  },

  // Tools
  { id: 'tools.capability', says: 'Tools are declared, with news of changes.', links: both('server/tools#capabilities') },
  { id: 'tools.list', says: 'tools/list names every tool with the schema of its input.', links: both('server/tools#listing-tools') },
  { id: 'tools.order', says: 'Tools are always listed in the same order.', links: [modern('server/tools#capabilities')] },
  { id: 'tools.call', says: 'tools/call answers with content.', links: both('server/tools#calling-tools') },
  { id: 'tools.content', says: 'Content is text, image, audio, resource or link.', links: both('server/tools#tool-result') },
  {
    id: 'tools.structured',
    says: 'A structured result fits the schema that was published, and comes as text too.',
    links: [...both('server/tools#structured-content'), ...both('server/tools#output-schema')],
  },
  { id: 'tools.no-input', says: 'A tool without parameters publishes an object schema.', links: both('server/tools#tool') },
  { id: 'tools.unknown', says: 'An unknown tool is answered -32602.', links: both('server/tools#error-handling') },
  {
    id: 'tools.invalid',
    says: 'Arguments that do not fit are a failed call, in words a model can act on.',
    links: both('server/tools#error-handling'),
  },
  { id: 'tools.failure', says: 'A tool that fails answers with isError and its text.', links: both('server/tools#error-handling') },
  { id: 'tools.changed', says: 'Clients are told of tools that come and go.', links: both('server/tools#list-changed-notification') },

  // Resources
  { id: 'resources.capability', says: 'Resources are declared, with news of changes.', links: both('server/resources#capabilities') },
  { id: 'resources.list', says: 'resources/list names every resource.', links: both('server/resources#listing-resources') },
  {
    id: 'resources.templates',
    says: 'Templates are listed apart, and read through.',
    links: both('server/resources#resource-templates'),
  },
  { id: 'resources.read', says: 'resources/read gives text or bytes with their type.', links: both('server/resources#resource-contents') },
  { id: 'resources.unknown', says: 'An unknown resource is answered -32602.', links: [modern('server/resources#error-handling')] },
  { id: 'resources.subscribe', says: 'A legacy client hears of what it follows.', links: [legacy('server/resources#subscriptions')] },
  {
    id: 'resources.changed',
    says: 'Clients are told of resources that come and go.',
    links: both('server/resources#list-changed-notification'),
  },

  // Prompts and completion
  { id: 'prompts.capability', says: 'Prompts are declared, with news of changes.', links: both('server/prompts#capabilities') },
  { id: 'prompts.list', says: 'prompts/list names every prompt with its arguments.', links: both('server/prompts#listing-prompts') },
  { id: 'prompts.get', says: 'prompts/get answers with messages.', links: both('server/prompts#getting-a-prompt') },
  {
    id: 'prompts.invalid',
    says: 'An unknown prompt or a wrong argument is answered -32602.',
    links: both('server/prompts#error-handling'),
  },
  {
    id: 'prompts.changed',
    says: 'Clients are told of prompts that come and go.',
    links: both('server/prompts#list-changed-notification'),
  },
  { id: 'completion.capability', says: 'Completion is declared.', links: both('server/utilities/completion#capabilities') },
  {
    id: 'completion.values',
    says: 'completion/complete suggests values, with what is known already, at most 100.',
    links: [...both('server/utilities/completion#requesting-completions'), ...both('server/utilities/completion#completion-results')],
  },
  {
    id: 'completion.invalid',
    says: 'Completion of what does not exist is answered -32602.',
    links: both('server/utilities/completion#error-handling'),
  },

  // Lists
  { id: 'paging.pages', says: 'A long list goes on under nextCursor.', links: both('server/utilities/pagination#response-format') },
  { id: 'paging.cursor', says: 'A wrong cursor is answered -32602.', links: both('server/utilities/pagination#error-handling') },
  {
    id: 'caching.hints',
    says: 'What may be kept says for how long and by whom.',
    links: [modern('server/utilities/caching#cacheable-results')],
  },
  {
    id: 'caching.scope',
    says: 'What depends on the caller is never public.',
    links: [modern('server/utilities/caching#choosing-a-cache-scope')],
  },

  // While a call runs
  {
    id: 'progress.token',
    says: 'Progress goes to who gave a token, and to nobody else.',
    links: [legacy('basic/utilities/progress#progress-flow'), modern('basic/patterns/progress#progress-flow')],
  },
  {
    id: 'progress.grows',
    says: 'Progress grows with every notification.',
    links: [legacy('basic/utilities/progress#progress-flow'), modern('basic/patterns/progress#progress-flow')],
  },
  { id: 'logging.capability', says: 'Log messages are declared.', links: both('server/utilities/logging#capabilities') },
  {
    id: 'logging.level',
    says: 'A legacy client gets log messages from the level on that it set.',
    links: [legacy('server/utilities/logging#setting-log-level')],
  },
  {
    id: 'logging.per-request',
    says: 'A modern client gets log messages of requests that ask for them only.',
    links: [modern('server/utilities/logging#per-request-log-level')],
  },
  {
    id: 'logging.invalid',
    says: 'A level that does not exist is answered -32602.',
    links: both('server/utilities/logging#error-handling'),
  },
  {
    id: 'cancel.stops',
    says: 'A call that its client cancels is told so.',
    links: [
      legacy('basic/utilities/cancellation#behavior-requirements'),
      modern('basic/patterns/cancellation#transport-specific-cancellation'),
    ],
  },
  {
    id: 'cancel.silent',
    says: 'A request that was cancelled is not answered.',
    links: [legacy('basic/utilities/cancellation#behavior-requirements')],
  },
  {
    id: 'cancel.unknown',
    says: 'Cancelling what does not run changes nothing.',
    links: [legacy('basic/utilities/cancellation#error-handling'), modern('basic/patterns/cancellation#error-handling')],
  },

  // Asking the client
  { id: 'ask.form', says: 'A person is asked with a form.', links: both('client/elicitation#form-mode-elicitation-requests') },
  { id: 'ask.flat', says: 'A form has flat fields only.', links: both('client/elicitation#requested-schema') },
  { id: 'ask.decline', says: 'A person may say no.', links: both('client/elicitation#response-actions') },
  { id: 'ask.checked', says: 'An answer that does not fit is asked again.', links: [modern('client/elicitation#form-mode-security')] },
  { id: 'ask.sample', says: "The client's model is asked.", links: both('client/sampling#creating-messages') },
  { id: 'ask.roots', says: 'The client is asked for its roots.', links: both('client/roots#listing-roots') },
  {
    id: 'ask.capability',
    says: 'A client is asked nothing that it has not declared; the modern one is answered -32021.',
    links: [modern('basic/patterns/mrtr#server-requirements-basic-workflow'), legacy('basic/lifecycle#capability-negotiation')],
  },
  {
    id: 'rounds.retry',
    says: 'A modern call that asks is answered input_required, and goes on with the answers.',
    links: [modern('basic/patterns/mrtr#basic-workflow'), modern('server/tools#input-required-tool-results')],
  },
  {
    id: 'rounds.state',
    says: 'State that is changed, expired or of another request is refused.',
    links: [modern('basic/patterns/mrtr#server-requirements-basic-workflow')],
  },
  {
    id: 'rounds.replay',
    says: 'A round that is delivered twice has one effect.',
    links: [modern('basic/patterns/mrtr#server-requirements-basic-workflow')],
  },
  {
    id: 'rounds.extra',
    says: 'Answers that were not asked for are ignored.',
    links: [modern('basic/patterns/mrtr#error-handling')],
  },

  // Subscriptions of the modern era
  {
    id: 'listen.acknowledged',
    says: 'A subscription is acknowledged before anything else on it.',
    links: [modern('basic/patterns/subscriptions#acknowledgment')],
  },
  {
    id: 'listen.filter',
    says: 'A subscription hears of what it names, and of nothing else.',
    links: [modern('basic/patterns/subscriptions#notification-filter')],
  },
  {
    id: 'listen.id',
    says: 'Everything on a subscription carries its id.',
    links: [modern('basic/patterns/subscriptions#receiving-notifications')],
  },
  {
    id: 'listen.cancelled',
    says: 'A subscription that its client cancels is over.',
    links: [modern('basic/patterns/subscriptions#cancellation')],
  },
  {
    id: 'listen.graceful',
    says: 'A subscription that the server ends is answered.',
    links: [modern('basic/patterns/subscriptions#graceful-closure')],
  },
];
