import { flag, listOf, mapOf, object, oneOf, text, version, type Shape } from './shape';

/** The eight levels of a log message (specification: Logging). */
export const loggingLevel = oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency');

const icon = object({ src: text, mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }, ['src']);

/** How a client presents itself (specification: Implementation). */
export const clientInfo = object({ name: text, version: text, title: text, websiteUrl: text, description: text, icons: listOf(icon) }, [
  'name',
  'version',
]);

const CAPABILITIES: Readonly<Record<string, Shape>> = {
  experimental: mapOf(object()),
  extensions: mapOf(object()),
  roots: object({ listChanged: flag }),
  sampling: object({ context: object(), tools: object() }),
  elicitation: object({ form: object({ applyDefaults: flag }), url: object() }),
};

/** What a modern client can do (specification 2026-07-28: Client Capabilities). */
export const modernCapabilities = object(CAPABILITIES);

const requests = object({ sampling: object({ createMessage: object() }), elicitation: object({ create: object() }) });

/** The params of the legacy handshake (specification 2025-11-25: Lifecycle). */
export const initializeParams = object(
  {
    protocolVersion: version,
    capabilities: object({ ...CAPABILITIES, tasks: object({ list: object(), cancel: object(), requests }) }),
    clientInfo,
  },
  ['protocolVersion', 'capabilities', 'clientInfo'],
);
