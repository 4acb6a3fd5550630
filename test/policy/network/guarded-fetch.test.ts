import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer, getDefaultAutoSelectFamily, setDefaultAutoSelectFamily, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AccessError, GuardedFetch, Policy, type GuardedFetchOptions } from 'perch-mcp';
import { TLS } from '../../support/tls';

interface Upstream extends AsyncDisposable {
  readonly port: number;
  /** What arrived, request by request. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
}

/** A server on loopback; `secure` makes it the host api.example.test over TLS. */
async function serve(answer: RequestListener, secure = false): Promise<Upstream> {
  const requests: Upstream['requests'] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      answer(request, response);
    });
  };
  const server = secure ? createTlsServer({ key: TLS.key, cert: TLS.cert }, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, requests, [Symbol.asyncDispose]: close };
}

/** Names resolve to loopback, and loopback is listed: what a test allows besides is its own. */
function fetchOver(network: readonly string[], options: GuardedFetchOptions = {}): GuardedFetch {
  const policy = Policy.define({ network: ['127.0.0.1', ...network] });
  return new GuardedFetch(policy, { lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]), ...options });
}

async function failureOf(fetching: Promise<unknown>): Promise<string> {
  const error: unknown = await fetching.then(
    () => 'no failure',
    (thrown: unknown) => thrown,
  );
  return error instanceof AccessError ? error.failure : String(error);
}

test('an allowed host is fetched as by fetch: status, headers, body and place', async () => {
  await using upstream = await serve((_request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.writeHead(201, 'Made', { 'content-type': 'application/json' }).end('{"made":true}');
  });
  const url = `http://api.example.test:${upstream.port}/things?x=1#part`;
  const response = await fetchOver(['api.example.test']).fetch(url, { method: 'PUT', headers: { 'x-key': 'k' }, body: '{"name":"x"}' });
  expect([response.status, response.statusText, response.ok, response.redirected, response.url]).toEqual([201, 'Made', true, false, url]);
  expect([await response.json(), response.headers.getSetCookie()]).toEqual([{ made: true }, ['a=1', 'b=2']]);
  const [seen] = upstream.requests;
  expect([seen?.line, seen?.body, seen?.headers['x-key'], seen?.headers['content-length']]).toEqual([
    'PUT /things?x=1',
    '{"name":"x"}',
    'k',
    '12',
  ]);
  expect(seen?.headers['content-type']).toBe('text/plain;charset=UTF-8');
});

test('the connection goes to the address that was decided, under the name of the URL, which is resolved once', async () => {
  await using upstream = await serve((_request, response) => response.end('hello'));
  const asked: string[] = [];
  const lookup = (host: string) => {
    asked.push(host);
    return Promise.resolve([{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.99', family: 4 }]);
  };
  const fetch = fetchOver(['rebinding.example.test'], { lookup });
  expect(await (await fetch.fetch(`http://rebinding.example.test:${upstream.port}/`)).text()).toBe('hello');
  expect([asked, upstream.requests[0]?.headers.host]).toEqual([['rebinding.example.test'], `rebinding.example.test:${upstream.port}`]);
});

test('the connection is pinned also where node tries one address only', async () => {
  const usual = getDefaultAutoSelectFamily();
  setDefaultAutoSelectFamily(false);
  try {
    await using upstream = await serve((_request, response) => response.end('hello'));
    expect(await (await fetchOver(['api.example.test']).fetch(`http://api.example.test:${upstream.port}/`)).text()).toBe('hello');
  } finally {
    setDefaultAutoSelectFamily(usual);
  }
});

test('https asks for the name and checks the certificate against it', async () => {
  await using upstream = await serve((request, response) => response.end((request.socket as { servername?: string }).servername), true);
  const fetch = fetchOver(['api.example.test', 'other.example.test'], { ca: TLS.cert });
  expect(await (await fetch.fetch(`https://api.example.test:${upstream.port}/`)).text()).toBe('api.example.test');
  expect(await failureOf(fetch.fetch(`https://other.example.test:${upstream.port}/`))).toBe('failed');
  expect(await failureOf(fetchOver(['api.example.test']).fetch(`https://api.example.test:${upstream.port}/`))).toBe('failed');
  expect(upstream.requests).toHaveLength(1);
});

test('answers without a body have none, and a request for the head gets its headers', async () => {
  await using upstream = await serve((request, response) =>
    response.writeHead(request.url === '/204' ? 204 : 200, { 'x-is': 'there' }).end(),
  );
  const fetch = fetchOver(['api.example.test']);
  const none = await fetch.fetch(`http://api.example.test:${upstream.port}/204`);
  const head = await fetch.fetch(`http://api.example.test:${upstream.port}/`, { method: 'HEAD' });
  expect([none.status, none.body, head.headers.get('x-is'), await head.text()]).toEqual([204, null, 'there', '']);
});

describe('redirects', () => {
  const redirecting =
    (to: () => string, status = 302): RequestListener =>
    (request, response) =>
      request.url === '/end' ? response.end(request.method) : response.writeHead(status, { location: to() }).end('moved');

  test('one inside the same origin is followed with everything', async () => {
    await using upstream = await serve(redirecting(() => '/end', 307));
    const response = await fetchOver(['api.example.test']).fetch(`http://api.example.test:${upstream.port}/start`, {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'x-api-key': 'k' },
      body: 'content',
    });
    expect([await response.text(), response.redirected, response.url]).toEqual([
      'POST',
      true,
      `http://api.example.test:${upstream.port}/end`,
    ]);
    expect(upstream.requests[1]).toMatchObject({ body: 'content', headers: { authorization: 'Bearer t', 'x-api-key': 'k' } });
  });

  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'DELETE', 'DELETE'],
    [303, 'HEAD', 'HEAD'],
  ])('after %i a %s is a %s', async (status, method, expected) => {
    await using upstream = await serve(redirecting(() => '/end', status));
    const body = method === 'POST' || method === 'PUT' ? 'content' : null;
    await fetchOver(['api.example.test']).fetch(`http://api.example.test:${upstream.port}/`, { method, body });
    const { line, headers, body: sent } = upstream.requests[1]!;
    expect([line, sent]).toEqual([`${expected} /end`, expected === method ? (body ?? '') : '']);
    expect('content-type' in headers).toBe(sent !== '');
  });

  test.each(['http://other.example.test:PORT/end', '//other.example.test:PORT/end'])(
    'one to another origin, %s, gets no credentials',
    async (to) => {
      await using upstream = await serve(redirecting(() => to.replace('PORT', String(upstream.port))));
      const headers = { authorization: 'Bearer t', cookie: 'c=1', 'x-api-key': 'k', accept: 'text/plain', 'user-agent': 'me' };
      await fetchOver(['*.example.test']).fetch(`http://api.example.test:${upstream.port}/`, { headers });
      expect(Object.keys(upstream.requests[1]?.headers ?? {}).sort()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      expect(upstream.requests[1]?.headers.host).toBe(`other.example.test:${upstream.port}`);
    },
  );

  test('one to another origin gets no body', async () => {
    await using upstream = await serve(redirecting(() => `http://other.example.test:${upstream.port}/end`, 307));
    const post = { method: 'POST', body: 'secret' };
    expect(await failureOf(fetchOver(['*.example.test']).fetch(`http://api.example.test:${upstream.port}/`, post))).toBe('denied');
    expect(upstream.requests).toHaveLength(1);
  });

  test.each([
    'http://denied.example/end',
    'http://user@api.example.test:PORT/end',
    'http://127.0.0.2:PORT/end',
    'http://2130706434:PORT/end',
    'http://[::1]:PORT/end',
    'http://[::ffff:127.0.0.2]:PORT/end',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'data:text/plain,x',
    'ftp://api.example.test/',
    'ws://api.example.test:PORT/end',
  ])('D31: one to %s is denied', async (to) => {
    await using upstream = await serve(redirecting(() => to.replace('PORT', String(upstream.port))));
    expect(await failureOf(fetchOver(['api.example.test']).fetch(`http://api.example.test:${upstream.port}/`))).toBe('denied');
    expect(upstream.requests).toHaveLength(1);
  });

  test('as many as the limit are followed, and no more', async () => {
    await using upstream = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const fetch = fetchOver(['api.example.test'], { maxRedirects: 3 });
    expect(await (await fetch.fetch(`http://api.example.test:${upstream.port}/3`)).text()).toBe('arrived');
    expect(await failureOf(fetch.fetch(`http://api.example.test:${upstream.port}/4`))).toBe('failed');
    expect(upstream.requests).toHaveLength(8);
  });

  test('one without a place is an answer, one to nowhere a failure', async () => {
    await using upstream = await serve((request, response) =>
      response.writeHead(302, request.url === '/bad' ? { location: 'http://[' } : {}).end(),
    );
    const fetch = fetchOver(['api.example.test']);
    expect((await fetch.fetch(`http://api.example.test:${upstream.port}/`)).status).toBe(302);
    expect(await failureOf(fetch.fetch(`http://api.example.test:${upstream.port}/bad`))).toBe('failed');
  });
});

describe('limits', () => {
  test('a body is read to the limit and no further, whether its length is known or not', async () => {
    await using upstream = await serve((request, response) => {
      if (request.url === '/endless') {
        const more = (): void => {
          if (!response.destroyed) response.write('x'.repeat(1_000), more);
        };
        more();
      } else response.end('x'.repeat(Number(request.url?.slice(1))));
    });
    const fetch = fetchOver(['api.example.test'], { maxBytes: 5_000 });
    expect(await (await fetch.fetch(`http://api.example.test:${upstream.port}/5000`)).text()).toHaveLength(5_000);
    expect(await failureOf(fetch.fetch(`http://api.example.test:${upstream.port}/5001`))).toBe('too-large');
    expect(await failureOf(fetch.fetch(`http://api.example.test:${upstream.port}/endless`))).toBe('too-large');
  });

  test('the time covers the name, the connection, the headers, the body and every redirect', async () => {
    await using upstream = await serve((request, response) => {
      if (request.url === '/body') response.write('half');
      if (request.url === '/circle') response.writeHead(302, { location: '/circle' }).end();
    });
    const options = { timeoutMs: 100, maxRedirects: 1_000_000 };
    const fetch = fetchOver(['api.example.test'], options);
    for (const path of ['headers', 'body', 'circle'])
      expect(await failureOf(fetch.fetch(`http://api.example.test:${upstream.port}/${path}`))).toBe('timeout');
    const unresolved = fetchOver(['api.example.test'], { ...options, lookup: () => new Promise(() => {}) });
    expect(await failureOf(unresolved.fetch('http://api.example.test/'))).toBe('timeout');
  });

  test('a signal ends the fetch with its reason and closes the connection', async () => {
    const arrived = withResolvers();
    const closed = withResolvers();
    await using upstream = await serve((request, response) => {
      response.on('close', () => closed.resolve(undefined));
      arrived.resolve(undefined);
    });
    const controller = new AbortController();
    const fetching = fetchOver(['api.example.test']).fetch(`http://api.example.test:${upstream.port}/`, { signal: controller.signal });
    await arrived.promise;
    controller.abort(new Error('no longer wanted'));
    await expect(fetching).rejects.toThrow('no longer wanted');
    await closed.promise;
    await expect(fetchOver(['api.example.test']).fetch('http://api.example.test/', { signal: controller.signal })).rejects.toThrow(
      'no longer wanted',
    );
    expect(upstream.requests).toHaveLength(1);
  });
});

test('a server that speaks no HTTP, breaks off, upgrades or is not there is a failure without details', async () => {
  const answers = [
    'nonsense\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf',
    '',
    'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n',
  ];
  answers.push('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  let next = 0;
  const server = createSocketServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end(answers[next++] ?? '')),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fetch = fetchOver(['api.example.test']);
  for (const _ of answers) expect(await failureOf(fetch.fetch(`http://api.example.test:${port}/`))).toBe('failed');
  await new Promise((resolve) => server.close(resolve));
  const error = await fetch.fetch(`http://api.example.test:${port}/`).catch((thrown: unknown) => thrown as AccessError);
  expect(error).toMatchObject({ failure: 'failed', message: 'The access failed', cause: { code: 'ECONNREFUSED' } });
  expect(
    await failureOf(
      fetchOver(['api.example.test'], { lookup: () => Promise.reject(new Error('NXDOMAIN')) }).fetch('http://api.example.test/'),
    ),
  ).toBe('failed');
  expect(await failureOf(fetchOver(['api.example.test'], { lookup: () => Promise.resolve([]) }).fetch('http://api.example.test/'))).toBe(
    'failed',
  );
});

test.each(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'proxy-authorization', 'te'])(
  'the header %s is not the caller’s to set',
  async (name) => {
    await expect(fetchOver(['api.example.test']).fetch('http://api.example.test/', { headers: { [name]: 'x' } })).rejects.toThrow(
      TypeError,
    );
  },
);

test('a malformed request is a TypeError, and a malformed place is denied', async () => {
  const fetch = fetchOver(['api.example.test']);
  for (const init of [
    { method: 'GET', body: 'x' },
    { method: 'CONNECT' },
    { method: 'A B' },
    { headers: { 'x y': '1' } },
    { headers: { x: 'a\r\nb: c' } },
  ])
    await expect(fetch.fetch('http://api.example.test/', init)).rejects.toMatchObject({ name: 'TypeError' });
  for (const place of ['', '/path', 'api.example.test', 'http://', 'ftp://api.example.test/', 'http://user@api.example.test/', 'data:,x'])
    expect(await failureOf(fetch.fetch(place))).toBe('denied');
});

test('no name that is not allowed is resolved', async () => {
  const asked: string[] = [];
  const lookup = (host: string) => {
    asked.push(host);
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  };
  const fetch = fetchOver(['api.example.test'], { lookup });
  for (const place of ['http://secret.evil.example/', 'http://example.test/']) expect(await failureOf(fetch.fetch(place))).toBe('denied');
  expect(asked).toEqual([]);
});

function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve!: (value: unknown) => void;
  return { promise: new Promise((settle) => (resolve = settle)), resolve };
}
