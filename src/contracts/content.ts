import type { ContentBlock } from './tool';

/** Whom a content is for, how much it matters, and when it last changed (specification: Annotations). */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 to 1; 1 is what a client must not leave out. */
  readonly priority?: number;
  /** An ISO 8601 time. */
  readonly lastModified?: string;
}

/** What every content block may carry. */
export interface ContentOptions {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The contents of one resource: text, or bytes in base64 (specification: Resource Contents). */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
} & ({ readonly text: string } | { readonly blob: string });

/** What {@link link} takes. */
export interface LinkedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

/** A block of text. */
export function text(content: string, options: ContentOptions = {}): ContentBlock {
  return { type: 'text', text: content, ...options };
}

/** A picture: its bytes, or the same in base64. */
export function image(data: Uint8Array | string, mimeType: string, options: ContentOptions = {}): ContentBlock {
  return { type: 'image', data: toBase64(data), mimeType, ...options };
}

/** A sound: its bytes, or the same in base64. */
export function audio(data: Uint8Array | string, mimeType: string, options: ContentOptions = {}): ContentBlock {
  return { type: 'audio', data: toBase64(data), mimeType, ...options };
}

/** The contents of a resource, within a result. */
export function embedded(resource: ResourceContents, options: ContentOptions = {}): ContentBlock {
  return { type: 'resource', resource, ...options };
}

/** A resource to read, by its URI. It need not be one that `resources/list` names. */
export function link(resource: LinkedResource, options: ContentOptions = {}): ContentBlock {
  return { type: 'resource_link', ...resource, ...options };
}

/** The bytes in base64; a string is taken to be base64 already. */
export function toBase64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}
