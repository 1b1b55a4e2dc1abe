import { describe, expect, it } from 'vitest';
import { Access, type Asking } from '../../../src/studio/server/access.js';

const token = 'T'.repeat(43);
const access = new Access(4321, token);

function asking(method: string, headers: Record<string, string>): Asking {
  return { method, header: (name) => headers[name] };
}

const own = { host: '127.0.0.1:4321' };
const cookie = access.setCookie.split(';')[0]!;

describe('Host', () => {
  it.each(['127.0.0.1:4321', 'localhost:4321'])('%s is the server', (host) => {
    expect(access.hostRefusal(asking('GET', { host }))).toBeUndefined();
  });

  it.each([
    'evil.example:4321',
    'evil.example',
    '127.0.0.1',
    '127.0.0.1:80',
    'localhost:43210',
    '127.0.0.1:4321.evil.example',
    'evil.example@127.0.0.1:4321',
    '[::1]:4321',
    '0.0.0.0:4321',
    '',
  ])('%j is refused: a name of somebody else may lead here', (host) => {
    expect(access.hostRefusal(asking('GET', { host }))).toMatchObject({ status: 421, code: 'host' });
  });

  it('is asked for', () => {
    expect(access.hostRefusal(asking('GET', {}))).toMatchObject({ status: 421 });
  });
});

describe('Origin', () => {
  it.each([
    ['GET', { ...own }],
    ['GET', { ...own, origin: 'http://127.0.0.1:4321' }],
    ['GET', { ...own, 'sec-fetch-site': 'none' }],
    ['POST', { ...own, origin: 'http://127.0.0.1:4321', 'sec-fetch-site': 'same-origin' }],
    ['POST', { host: 'localhost:4321', origin: 'http://localhost:4321' }],
    ['POST', { ...own, authorization: `Bearer ${token}` }],
  ])('%s %j passes', (method, headers) => {
    expect(access.originRefusal(asking(method, headers))).toBeUndefined();
  });

  it.each([
    ['GET', { ...own, origin: 'http://evil.example' }],
    ['GET', { ...own, origin: 'null' }],
    ['GET', { ...own, origin: 'https://127.0.0.1:4321' }],
    ['GET', { ...own, origin: 'http://127.0.0.1:4322' }],
    ['GET', { ...own, origin: 'http://localhost:4321' }],
    ['GET', { ...own, 'sec-fetch-site': 'cross-site' }],
    // another port of this machine
    ['GET', { ...own, 'sec-fetch-site': 'same-site' }],
    ['POST', { ...own, cookie }],
    ['POST', { ...own, 'sec-fetch-site': 'none', cookie }],
    ['DELETE', { ...own, origin: 'http://127.0.0.1:4322' }],
    ['POST', { ...own, authorization: 'Bearer wrong' }],
    ['POST', { ...own, origin: 'http://evil.example', authorization: `Bearer ${token}` }],
  ])('%s %j is refused', (method, headers) => {
    expect(access.originRefusal(asking(method, headers))).toMatchObject({ status: 403, code: 'origin' });
  });
});

describe('Token', () => {
  it('is random, and 256 bits long', () => {
    const [a, b] = [new Access(1).token, new Access(1).token];
    expect(a).not.toBe(b);
    expect(Buffer.from(a, 'base64url').length).toBe(32);
  });

  it('comes as a cookie among others, or as a bearer', () => {
    expect(access.tokenRefusal(asking('GET', { cookie }))).toBeUndefined();
    expect(access.tokenRefusal(asking('GET', { cookie: `a=b; ${cookie}; c=d` }))).toBeUndefined();
    expect(access.tokenRefusal(asking('GET', { authorization: `Bearer ${token}` }))).toBeUndefined();
  });

  it.each([
    {},
    { cookie: '' },
    { cookie: `nemokit-4321=${token}` },
    { cookie: `${cookie}x` },
    { cookie: cookie.slice(0, -1) },
    { cookie: cookie.replace('4321', '4322') },
    { cookie: `x${cookie}` },
    { cookie: `other=${cookie}` },
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token.slice(1)}` },
    { authorization: `Bearer ${token} ` },
  ])('%j is refused', (headers) => {
    expect(access.tokenRefusal(asking('GET', headers as Record<string, string>))).toMatchObject({
      status: 401,
      code: 'token',
    });
  });

  it('is kept in a cookie that no script reads and no other site sends', () => {
    expect(access.setCookie).toMatch(/^nemokit-4321=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(access.setCookie).not.toContain(token);
  });

  it('is in the link', () => {
    expect(access.link()).toBe(`http://127.0.0.1:4321/open?token=${token}`);
    expect(access.link('/#/runs/a b')).toBe(
      `http://127.0.0.1:4321/open?token=${token}&to=%2F%23%2Fruns%2Fa%20b`,
    );
  });
});
