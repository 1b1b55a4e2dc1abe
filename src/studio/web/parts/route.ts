/** Where the app is, in the part of the address behind #: reload, back and share work on any web host. */
import { useSyncExternalStore } from 'react';

export interface Route {
  /** `['data', 'TABLE']`; empty at home. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

export function addressOf(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}

let known = { hash: '', route: parse('') };

function current(): Route {
  const { hash } = window.location;
  if (known.hash !== hash) known = { hash, route: parse(hash) };
  return known.route;
}

export function useRoute(): Route {
  return useSyncExternalStore((listen) => {
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, current);
}

export function goTo(path: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  window.location.hash = addressOf(path, query);
}

/** The same page with other details: no step of its own for "back". */
export function replaceQuery(query: Readonly<Record<string, string>>): void {
  const { path } = current();
  window.history.replaceState(null, '', addressOf(path, query));
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
