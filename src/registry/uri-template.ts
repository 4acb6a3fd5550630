import type { UriVariables } from '../contracts/resource';
import { matchPath, type PathPart, type VariablePart } from './uri-path';
import { matchQuery, type QueryPattern } from './uri-query';

/** A URI of more characters matches no template, so that a message full of it costs no more than this. */
const LONGEST = 131_072;

/** A template of RFC 6570, read so that URIs can be matched against it. */
export interface UriTemplate {
  /** In the order in which they stand. */
  readonly variables: readonly string[];
  /** Equal for two templates that match the same URIs. */
  readonly shape: string;
  /** The variables of a URI, decoded; undefined when the template does not match. */
  match(uri: string): UriVariables | undefined;
}

/** Why a template cannot be matched. */
export class TemplateFault extends Error {}

/** True when a resource's `uri` is a template. */
export function isTemplate(uri: string): boolean {
  return uri.includes('{');
}

/** Reads a template. Throws a {@link TemplateFault} for one that is not written as RFC 6570 has it, or that no URI can be matched against. */
export function parseTemplate(text: string): UriTemplate {
  const { path, query } = splitQuery(text);
  const parts = pathParts(path);
  const pattern = query === undefined ? undefined : queryPattern(query);
  const variables = [
    ...parts.flatMap((part) => ('name' in part ? [part.name] : [])),
    ...(pattern?.variables.map(({ name }) => name) ?? []),
  ];
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) throw new TemplateFault(`it has the variable "${twice}" twice`);
  return {
    variables,
    shape: shapeOf(parts, pattern),
    match(uri) {
      if (uri.length > LONGEST) return undefined;
      const end = pattern === undefined ? -1 : uri.indexOf('?');
      const found = matchPath(parts, end === -1 ? uri : uri.slice(0, end));
      const asked =
        found === undefined || pattern === undefined ? new Map<string, never>() : matchQuery(pattern, end === -1 ? '' : uri.slice(end + 1));
      return found === undefined || asked === undefined ? undefined : decoded([...found, ...asked]);
    },
  };
}

function decoded(found: readonly (readonly [string, string | readonly string[]])[]): UriVariables | undefined {
  try {
    return Object.fromEntries(
      found.map(([name, value]) => [name, typeof value === 'string' ? decodeURIComponent(value) : value.map(decodeURIComponent)]),
    );
  } catch {
    // A lonely "%" is no URI.
    return undefined;
  }
}

/** The query begins with `{?…}`, or with a `?` outside of any expression. */
function splitQuery(text: string): { readonly path: string; readonly query: string | undefined } {
  const start = /\{\?|\?/.exec(text)?.index;
  return start === undefined ? { path: text, query: undefined } : { path: text.slice(0, start), query: text.slice(start) };
}

function pathParts(path: string): PathPart[] {
  return pieces(path).flatMap(({ literal, expression }): PathPart[] =>
    expression === undefined ? [{ literal }] : expressionParts(expression),
  );
}

interface Piece {
  readonly literal: string;
  readonly expression: string | undefined;
}

function pieces(text: string): Piece[] {
  const found = text.split(/(\{[^{}]*\})/).filter((each) => each !== '');
  return found.map((each) => {
    if (each.startsWith('{') && each.endsWith('}')) return { literal: '', expression: each.slice(1, -1) };
    if (/[{}]/.test(each)) throw new TemplateFault('its braces do not match');
    return { literal: each, expression: undefined };
  });
}

interface OperatorRule {
  readonly lead: string;
  /** Where a value ends. */
  readonly stops: string;
  /** Where a list ends; default as for a value. */
  readonly listStops?: string;
}

/** RFC 6570, 2.2. Those of the query stand elsewhere. */
const OPERATORS: Readonly<Record<string, OperatorRule>> = {
  '': { lead: '', stops: '/?#' },
  '+': { lead: '', stops: '' },
  '#': { lead: '#', stops: '' },
  '.': { lead: '.', stops: '/?#' },
  '/': { lead: '/', stops: '/?#', listStops: '?#' },
  ';': { lead: ';', stops: '/?#;', listStops: '/?#' },
};

function expressionParts(expression: string): PathPart[] {
  const [operator = ''] = /^[+#./;&=,!@|]/.exec(expression) ?? [];
  const rule = OPERATORS[operator];
  if (rule === undefined) throw new TemplateFault(`"{${expression}}" cannot stand before the query`);
  return namesIn(expression.slice(operator.length)).flatMap((variable, index): PathPart[] => {
    const part = variablePart(variable, operator === ';' ? { ...rule, lead: `;${variable.name}=` } : rule);
    // Without a lead of their own, several values stand between commas.
    return part.lead === '' && index > 0 ? [{ literal: ',' }, part] : [part];
  });
}

function variablePart({ name, isList }: NamedVariable, { lead, stops, listStops = stops }: OperatorRule): VariablePart {
  const isOptional = lead !== '';
  return isList
    ? { name, lead, isOptional, stops: listStops, separator: lead || ',' }
    : { name, lead, isOptional, stops, separator: undefined };
}

interface NamedVariable {
  readonly name: string;
  readonly isList: boolean;
}

function namesIn(list: string): NamedVariable[] {
  return list.split(',').map((each) => {
    const [, name, modifier] = /^(\w+(?:\.\w+)*)(\*|:\d+)?$/.exec(each) ?? [];
    if (name === undefined) throw new TemplateFault(`"${each}" is not the name of a variable`);
    if (modifier?.startsWith(':') === true)
      throw new TemplateFault(`the rest of "${name}" is cut off by "${modifier}", and cannot be known from a URI`);
    return { name, isList: modifier === '*' };
  });
}

function queryPattern(query: string): QueryPattern {
  const expressions = pieces(query).flatMap(({ expression }) =>
    expression !== undefined && /^[?&]/.test(expression) ? namesIn(expression.slice(1)) : [],
  );
  const rest = query.replace(/\{[?&][^{}]*\}/g, '').replace(/^\?/, '');
  const pairs = rest
    .split('&')
    .filter((each) => each !== '')
    .map(readPair);
  return {
    fixed: pairs.flatMap(({ parameter, value }) => (value === undefined ? [] : [[parameter, value] as const])),
    variables: [
      ...pairs.flatMap(({ parameter, variable }) => (variable === undefined ? [] : [{ parameter, isOptional: false, ...variable }])),
      ...expressions.map((each) => ({ parameter: each.name, isOptional: true, ...each })),
    ],
  };
}

interface TemplatePair {
  readonly parameter: string;
  readonly value?: string;
  readonly variable?: NamedVariable;
}

function readPair(pair: string): TemplatePair {
  const [, parameter = '', expression, value = ''] = /^([^={}#]+)(?:=\{([^{}]*)\}|=?([^{}#]*))$/.exec(pair) ?? [];
  if (parameter === '')
    throw new TemplateFault(`"${pair}" in its query is neither a pair such as "q={term}" nor an expression such as "{?page}"`);
  const [variable] = expression === undefined ? [] : namesIn(expression);
  return variable === undefined ? { parameter, value } : { parameter, variable };
}

function shapeOf(parts: readonly PathPart[], query: QueryPattern | undefined): string {
  const path = parts.map((part) => ('literal' in part ? part.literal : { ...part, name: '' }));
  const required = query?.variables.filter(({ isOptional }) => !isOptional).map(({ parameter }) => parameter) ?? [];
  return JSON.stringify([path, query?.fixed.map((pair) => pair.join('=')).sort(), required.sort(), query !== undefined]);
}
